"""The texts of the command in Portuguese and English, and the choice of the language."""

import locale
from collections.abc import Callable, Mapping, Sequence

import click

Texts = Callable[..., str]
"""A text's key and the values of its placeholders → the text in one language."""

# fmt: off
TEXTS: dict[str, tuple[str, str]] = {
    "about": ("Códigos Pix e o registro de empresas (CNPJ), pelo serviço brskills ou, com --local, sem ele.",
              "Pix codes and company records (CNPJ), by the brskills service or, with --local, without it."),
    "about_exits": ("Códigos de saída: 0 certo; 1 inesperado; 2 uso ou campo errado; 3 chave; 4 empresa não encontrada; 5 código com defeito "
                    "ou recebedor a conferir; 6 cota; 7 tente mais tarde; 130 interrompido.",
                    "Exit codes: 0 ok; 1 unexpected; 2 usage or an invalid field; 3 key; 4 company not found; 5 an invalid code or a "
                    "payee to check; 6 quota; 7 try later; 130 interrupted."),
    "usage": ("Uso: ", "Usage: "),
    "options_metavar": ("[OPÇÕES]", "[OPTIONS]"),
    "command_metavar": ("COMANDO [ARGUMENTOS]...", "COMMAND [ARGS]..."),
    "Options": ("Opções", "Options"),
    "Commands": ("Comandos", "Commands"),
    "help": ("Mostra esta ajuda.", "Show this help."),
    "version": ("Mostra a versão.", "Show the version."),
    "json": ("Escreve a resposta em JSON; erros também, na saída de erros.",
             "Write the answer as JSON; errors too, on standard error."),
    "lang": ("Idioma dos textos; sem isto, o do sistema.", "Language of the texts; by default the system's."),
    "service": ("Endereço do serviço (ou BRSKILLS_URL).", "The service's address (or BRSKILLS_URL)."),
    "key_file": ("Arquivo com a chave, só legível pelo dono (ou BRSKILLS_API_KEY com a própria chave). Padrão: {path}",
                 "File with the key, readable only by its owner (or BRSKILLS_API_KEY with the key itself). Default: {path}"),
    "timeout": ("Segundos de espera por uma resposta (60).", "Seconds to wait for a response (60)."),
    "local": ("Sem serviço, sem chave e sem rede, com as mesmas regras.", "Work offline, without the service and a key, by the same rules."),

    "pix": ("Escreve um código Pix (copia e cola).", "Write a Pix code (copia e cola)."),
    "pix_chave": ("Chave Pix: CPF, CNPJ, e-mail, telefone ou aleatória.", "Pix key: CPF, CNPJ, e-mail, phone or random key."),
    "pix_tipo_chave": ("Tipo da chave, se ela for ambígua: cpf, cnpj, email, telefone, aleatoria.",
                       "The key's type, if it is ambiguous: cpf, cnpj, email, telefone, aleatoria."),
    "pix_valor": ("Valor em reais, como 49.90; sem ele o pagador digita.", "Amount in reais, as 49.90; without it the payer types it."),
    "pix_nome_recebedor": ("Nome de quem recebe.", "Payee's name."),
    "pix_cidade": ("Cidade de quem recebe.", "Payee's city."),
    "pix_txid": ("Identificador, até 25 letras e dígitos.", "Identifier, up to 25 letters and digits."),
    "pix_descricao": ("Texto para o pagador.", "Text for the payer."),
    "pix_cep": ("CEP de quem recebe.", "Payee's postal code."),
    "pix_mcc": ("Categoria do comércio, 4 dígitos.", "Merchant category, 4 digits."),
    "pix_url": ("Endereço de uma cobrança dinâmica.", "Address of a dynamic charge."),
    "pix_url_recorrencia": ("Endereço de um Pix Automático.", "Address of a Pix Automático."),
    "pix_ispb_saque": ("Pix Saque: ISPB do facilitador.", "Pix Saque: the facilitator's ISPB."),
    "pix_uso_unico": ("O código só vale uma vez, ou várias.", "The code can be paid once, or many times."),
    "pix_estrito": ("Recusa o que seria ajustado.", "Reject fields that would be adjusted."),
    "pix_png": ("Grava também a imagem do QR em PNG.", "Also write the QR code as PNG."),
    "pix_svg": ("Grava também a imagem do QR em SVG.", "Also write the QR code as SVG."),
    "adjusted": ("ajustado: {field}: {before} → {after} ({reason})", "adjusted: {field}: {before} → {after} ({reason})"),
    "qr_missing": ("para imagens, instale: pip install segno", "to write images, install: pip install segno"),

    "decode": ("Lê um código Pix e lista cada regra violada. Sem CÓDIGO, lê a entrada padrão.",
               "Read a Pix code and list every rule it breaks. Without CODE, read standard input."),
    "code_metavar": ("[CÓDIGO]", "[CODE]"),
    "valid": ("válido", "valid"),
    "invalid": ("inválido", "invalid"),
    "error": ("erro", "error"),
    "warning": ("alerta", "warning"),

    "conferir": ("Confere o recebedor de um código. Sem CÓDIGO nem --chave, lê a entrada padrão.",
                 "Check the payee of a code. Without CODE and --chave, read standard input."),
    "conferir_chave": ("A chave, em lugar do código.", "The key, instead of the code."),
    "conferir_nome": ("Com a chave: o nome do recebedor.", "With the key: the payee's name."),
    "conferir_unknown": ("Termina com 0 se o único alerta é nome_nao_comparado.", "Exit with 0 if the only alert is nome_nao_comparado."),
    "conferir_tipo": ("Com a chave: o tipo, se ela for ambígua.", "With the key: its type, if it is ambiguous."),

    "cnpj": ("Mostra o registro de uma empresa.", "Show a company's record."),
    "max_age": ("Idade máxima da consulta à fonte, em segundos.", "Maximum age of the lookup at the source, in seconds."),
    "max_data_age": ("Idade máxima dos dados, em dias.", "Maximum age of the data, in days."),
    "stale": ("desatualizado: as fontes estão indisponíveis", "out of date: the sources are unavailable"),

    "chave": ("Cria uma chave grátis e a guarda em um arquivo que só o dono lê.", "Create a free key and store it in a file that only its owner can read."),
    "chave_email": ("E-mail, para o caso de a chave se perder.", "E-mail, in case the key is lost."),
    "key_stored": ("chave guardada em {path} (conta {id}, plano {plan}, {limit} chamadas por mês)",
                   "key stored in {path} (account {id}, plan {plan}, {limit} calls per month)"),
    "unlimited": ("sem limite", "unlimited"),
    "key_exists": ("já há uma chave em {path}; apague o arquivo ou escolha outro com --key-file",
                   "{path} already holds a key; delete the file or choose another with --key-file"),

    "uso": ("Mostra as chamadas do mês.", "Show the month's calls."),
    "used": ("{month}: {calls} de {limit} chamadas; restam {left}; reinicia em {resets} (plano {plan})",
             "{month}: {calls} of {limit} calls; {left} left; resets on {resets} (plan {plan})"),
    "used_unlimited": ("{month}: {calls} chamadas, sem limite (plano {plan})", "{month}: {calls} calls, no limit (plan {plan})"),

    "lote": ("Consulta as empresas de um CSV. O mesmo comando continua o que foi interrompido.",
             "Look up the companies of a CSV file. Run the same command again to resume after an interruption."),
    "lote_input": ("ENTRADA.csv", "INPUT.csv"),
    "lote_output": ("Arquivo a escrever; padrão: ENTRADA-empresas.csv.", "File to write; default: INPUT-empresas.csv."),
    "lote_column": ("A coluna dos CNPJs, por nome ou posição (1, 2…); por padrão, é detectada.",
                    "The column of CNPJs, by name or position (1, 2…); by default it is detected."),
    "lote_rounds": ("Quantas vezes consultar o que as fontes não respondem (4).", "How often to request what the sources do not answer (4)."),
    "lote_concurrency": ("Quantos lotes de 100 ao mesmo tempo (4).", "How many batches of 100 to send at once (4)."),
    "lote_replace": ("Substitui uma saída pronta.", "Replace a finished output."),
    "lote_label": ("consultando", "looking up"),
    "output_exists": ("{path} já existe; --replace o substitui, e consulta e conta de novo",
                      "{path} exists; --replace replaces it, with new lookups that are counted"),
    "same_file": ("a saída é o próprio arquivo de entrada", "the output is the input file"),
    "journal_mismatch": ("{path} é de outra entrada, de outro serviço ou de outras opções; termine aquela execução, ou apague o arquivo",
                         "{path} belongs to another input, service or options; finish that run, or delete the file"),
    "journal_locked": ("outro processo está usando {path}", "another process is using {path}"),
    "table_empty": ("o arquivo não tem linhas", "the file has no rows"),
    "table_not_csv": ("o arquivo não é um CSV", "the file is not a CSV"),
    "table_spreadsheet": ("é uma planilha; salve-a como CSV", "it is a spreadsheet; save it as CSV"),
    "table_no_column": ("nenhuma coluna tem CNPJs; indique-a com --coluna", "no column holds CNPJs; name it with --coluna"),
    "table_no_such_column": ("coluna não encontrada", "column not found"),
    "lines": ("{count} linhas, {numbers} números diferentes, coluna {column}", "{count} lines, {numbers} distinct numbers, column {column}"),
    "result_encontrada": ("encontradas", "found"),
    "result_inexistente": ("inexistentes (confirmado)", "not registered (confirmed)"),
    "result_nao_encontrada": ("não encontradas (sem confirmação)", "not found (not confirmed)"),
    "result_numero_invalido": ("número inválido", "invalid number"),
    "result_recusada": ("recusadas", "refused"),
    "result_sem_resposta": ("sem resposta", "not answered"),
    "repaired": ("{count} números com zeros ou decimais consertados", "{count} numbers with zeros or decimals repaired"),
    "repeated": ("{count} linhas repetem números", "{count} lines repeat numbers"),
    "calls": ("{count} chamadas contadas", "{count} calls counted"),
    "written": ("escrito: {path}", "written: {path}"),
    "resume": ("para continuar, repita o comando", "to continue, run the command again"),
    "resume_at": ("a cota acabou; para continuar, repita o comando a partir de {resets_at}",
                  "the quota is used up; to continue, run the command again after {resets_at}"),
    "zeros_restored": ("zeros à esquerda repostos", "leading zeros restored"),
    "decimals_removed": ("decimais removidos", "decimals removed"),
    "not_answered": ("ainda sem resposta; repita o comando", "not answered yet; run the command again"),
    "empty": ("vazio", "empty"),
    "digits_lost": ("a planilha perdeu dígitos (notação científica): use o original",
                    "the spreadsheet lost digits (scientific notation): use the original"),
    "check_digits": ("dígitos verificadores não conferem", "check digits do not match"),
    "not_a_cnpj": ("não é um CNPJ", "not a CNPJ"),

    "see_help": ("Veja: {command} --help", "See: {command} --help"),
    "no_such_option": ("opção inexistente: {name}", "no such option: {name}"),
    "missing": ("falta {name}", "{name} is missing"),
    "no_such_command": ("comando inexistente: {name}", "no such command: {name}"),
    "bad_value": ("valor inválido para {name}", "invalid value for {name}"),
    "bad_usage": ("linha de comando inválida", "invalid command line"),
    "interrupted": ("interrompido", "interrupted"),
    "no_key": ("falta a chave: BRSKILLS_API_KEY, --key-file, ou crie uma grátis com `brskills chave`; `pix` e `decode` "
               "também funcionam sem, com --local",
               "a key is needed: BRSKILLS_API_KEY, --key-file, or create a free one with `brskills chave`; `pix` and `decode` "
               "also work without one, with --local"),
    "key_readable": ("outros podem ler {path}: chmod 600 {path}", "others can read {path}: chmod 600 {path}"),
    "unreachable": ("o serviço não responde ({kind}); o endereço vem de --service ou BRSKILLS_URL, por padrão {local}",
                    "the service does not answer ({kind}); its address is set by --service or BRSKILLS_URL, by default {local}"),
    "unexpected": ("resposta inesperada do serviço (HTTP {status})", "unexpected response from the service (HTTP {status})"),
    "bad_settings": ("o endereço do serviço (https://…), a chave, o tempo de espera ou um proxy do ambiente é inválido",
                     "the service's address (https://…), the key, the timeout or a proxy of the environment is invalid"),
    "file_error": ("arquivo {reason}", "file {reason}"),
}
# fmt: on


def texts_in(language: str) -> Texts:
    """Return the texts in ``pt`` or ``en``."""
    index = 0 if language == "pt" else 1
    return lambda key, **values: TEXTS[key][index].format(**values)


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return ``pt`` or ``en``: of ``--lang``, else of the system; English for all but Portuguese.

    >>> language_of(["uso", "--lang", "pt"], {"LANG": "en_US.UTF-8"}), language_of([], {"LANG": "pt_BR"})
    ('pt', 'pt')
    """
    for index, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            return "pt" if (value or "".join(arguments[index + 1 : index + 2])) == "pt" else "en"
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale_name := environment.get(variable):
            break
    else:
        locale_name = locale.getlocale()[0] or ""  # systems without these variables
    return "pt" if locale_name.lower().startswith(("pt", "portug")) else "en"


def localized_context(text: Texts) -> type[click.Context]:
    """Return a context whose help has headings and usage lines in the language of ``text``."""

    class Help(click.HelpFormatter):
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or text("usage"))

        def write_heading(self, heading: str) -> None:
            super().write_heading(text(heading) if heading in TEXTS else heading)

    class Context(click.Context):
        formatter_class = Help

    return Context
