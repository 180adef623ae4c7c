"""What the command says, in Portuguese and in English: by a key, with gaps to fill."""

from collections.abc import Callable

__all__ = ["TEXTS", "Say", "speaking"]

Say = Callable[..., str]
"""A text's key, and what fills its gaps → the text in one language."""

# fmt: off
TEXTS: dict[str, tuple[str, str]] = {
    "about": ("Códigos Pix e o registro de empresas (CNPJ), pelo serviço brskills ou, onde se diz --local, sem ele.",
              "Pix codes and company records (CNPJ), by the brskills service or, with --local, without it."),
    "about_exits": ("Fim: 0 certo; 1 inesperado; 2 uso ou campo errado; 3 chave; 4 empresa não encontrada; 5 código com defeito "
                    "ou recebedor a conferir; 6 cota; 7 tente mais tarde; 130 interrompido.",
                    "Exit codes: 0 ok; 1 unexpected; 2 usage or a wrong field; 3 key; 4 company not found; 5 a faulty code or a "
                    "payee to look at; 6 quota; 7 try later; 130 interrupted."),
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
                 "File with the key, readable by its owner alone (or BRSKILLS_API_KEY with the key itself). Default: {path}"),
    "timeout": ("Segundos de espera por uma resposta (30).", "Seconds to wait for an answer (30)."),
    "local": ("Sem serviço, sem chave e sem rede, com as mesmas regras.", "Without service, key and network, by the same rules."),

    "pix": ("Escreve um código Pix (copia e cola).", "Write a Pix code (copia e cola)."),
    "pix_chave": ("Chave Pix: CPF, CNPJ, e-mail, telefone ou aleatória.", "Pix key: CPF, CNPJ, e-mail, phone or random key."),
    "pix_tipo_chave": ("Tipo da chave, se ela for ambígua: cpf, cnpj, email, telefone, aleatoria.",
                       "The key's type, where it is ambiguous: cpf, cnpj, email, telefone, aleatoria."),
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
    "pix_uso_unico": ("O código só vale uma vez, ou várias.", "The code serves once, or many times."),
    "pix_estrito": ("Recusa o que seria ajustado.", "Refuse whatever would be adjusted."),
    "pix_png": ("Grava também a imagem do QR em PNG.", "Also write the QR's picture as PNG."),
    "pix_svg": ("Grava também a imagem do QR em SVG.", "Also write the QR's picture as SVG."),
    "adjusted": ("ajustado: {field}: {before} → {after} ({reason})", "adjusted: {field}: {before} → {after} ({reason})"),
    "qr_missing": ("para imagens, instale: pip install segno", "for pictures, install: pip install segno"),

    "decode": ("Lê um código Pix e diz cada regra quebrada. Sem CÓDIGO, lê a entrada padrão.",
               "Read a Pix code and list every rule it breaks. Without CODE, standard input is read."),
    "code_metavar": ("[CÓDIGO]", "[CODE]"),
    "valid": ("válido", "valid"),
    "invalid": ("inválido", "invalid"),
    "error": ("erro", "error"),
    "warning": ("alerta", "warning"),

    "conferir": ("Confere quem um código paga. Sem CÓDIGO nem --chave, lê a entrada padrão.",
                 "Check whom a code pays. Without CODE and --chave, standard input is read."),
    "conferir_chave": ("Em lugar do código: a chave.", "In place of the code: the key."),
    "conferir_nome": ("Com a chave: o nome de quem receberia.", "With the key: the payee's name."),
    "conferir_tipo": ("Com a chave: o tipo, se ela for ambígua.", "With the key: its type, where it is ambiguous."),

    "cnpj": ("Mostra o registro de uma empresa.", "Show a company's record."),
    "max_age": ("O máximo de segundos desde a consulta à fonte.", "The most seconds since the source was asked."),
    "max_data_age": ("O máximo de dias desde a data dos dados.", "The most days since the day of the data."),
    "stale": ("desatualizado: as fontes não respondem", "out of date: the sources do not answer"),

    "chave": ("Pede uma chave grátis e guarda em um arquivo só do dono.", "Ask for a free key and keep it in a file of its owner's alone."),
    "chave_email": ("E-mail, para o caso de a chave se perder.", "E-mail, in case the key gets lost."),
    "key_kept": ("chave guardada em {path} (conta {id}, plano {plan}, {limit} chamadas por mês)",
                 "key kept in {path} (account {id}, plan {plan}, {limit} calls a month)"),
    "key_exists": ("já há uma chave em {path}; apague o arquivo ou escolha outro com --key-file",
                   "there is a key in {path} already; delete the file or choose another by --key-file"),

    "uso": ("Mostra as chamadas do mês.", "Show the month's calls."),
    "used": ("{month}: {calls} de {limit} chamadas; restam {left}; recomeça em {resets} (plano {plan})",
             "{month}: {calls} of {limit} calls; {left} left; begins anew {resets} (plan {plan})"),
    "used_unlimited": ("{month}: {calls} chamadas, sem limite (plano {plan})", "{month}: {calls} calls, no limit (plan {plan})"),

    "lote": ("Consulta as empresas de um CSV. O mesmo comando continua o que foi interrompido.",
             "Look up the companies of a CSV file. Run the same command again to resume after an interruption."),
    "lote_input": ("ENTRADA.csv", "INPUT.csv"),
    "lote_output": ("Arquivo a escrever; padrão: ENTRADA-empresas.csv.", "File to write; default: INPUT-empresas.csv."),
    "lote_column": ("A coluna dos CNPJs, por nome ou lugar (1, 2…); sem isto, é procurada.",
                    "The column of CNPJs, by name or place (1, 2…); else it is found."),
    "lote_rounds": ("Quantas vezes perguntar o que as fontes não respondem (4).", "How often to ask what the sources do not answer (4)."),
    "lote_flying": ("Quantos lotes de 100 ao mesmo tempo (4).", "How many batches of 100 at once (4)."),
    "lote_replace": ("Escreve por cima de uma saída pronta.", "Write over an output that is finished."),
    "lote_label": ("consultando", "looking up"),
    "output_exists": ("{path} já existe; --replace escreve por cima, e consulta e conta de novo",
                      "{path} exists; --replace writes over it, asking and counting anew"),
    "same_file": ("a saída seria a própria entrada", "the output would be the input itself"),
    "other_run": ("{path} é de outra entrada, de outro serviço ou de outro pedido; termine aquele, ou apague o arquivo",
                  "{path} belongs to another input, service or question; finish that one, or delete the file"),
    "busy": ("outro processo trabalha em {path}", "another process works on {path}"),
    "table_empty": ("o arquivo não tem linhas", "the file has no rows"),
    "table_not_csv": ("o arquivo não é um CSV", "the file is not a CSV"),
    "table_spreadsheet": ("é uma planilha; salve-a como CSV", "it is a spreadsheet; save it as CSV"),
    "table_no_column": ("nenhuma coluna tem CNPJs; diga qual com --coluna", "no column holds CNPJs; name it by --coluna"),
    "table_no_such_column": ("não há essa coluna", "there is no such column"),
    "lines": ("{count} linhas, {numbers} números diferentes, coluna {column}", "{count} lines, {numbers} distinct numbers, column {column}"),
    "result_encontrada": ("encontradas", "found"),
    "result_inexistente": ("inexistentes (confirmado)", "absent (confirmed)"),
    "result_nao_encontrada": ("não encontradas (sem confirmação)", "not found (not confirmed)"),
    "result_numero_invalido": ("número inválido", "invalid number"),
    "result_recusada": ("recusadas", "refused"),
    "result_sem_resposta": ("sem resposta", "not answered"),
    "repaired": ("{count} números com zeros ou decimais consertados", "{count} numbers with zeros or decimals repaired"),
    "repeated": ("{count} linhas repetem números", "{count} lines repeat numbers"),
    "calls": ("{count} chamadas contadas", "{count} calls counted"),
    "written": ("escrito: {path}", "written: {path}"),
    "go_on": ("para continuar, repita o comando", "to go on, repeat the command"),
    "go_on_at": ("a cota acabou; para continuar, repita o comando a partir de {at}",
                 "the quota is used up; to go on, repeat the command from {at} on"),
    "zeros_restored": ("zeros à esquerda repostos", "leading zeros restored"),
    "decimals_removed": ("decimais removidos", "decimals removed"),
    "not_answered": ("ainda sem resposta; repita o comando", "not answered yet; repeat the command"),
    "empty": ("vazio", "empty"),
    "digits_lost": ("a planilha perdeu dígitos (notação científica): volte ao original",
                    "the spreadsheet lost digits (scientific notation): go back to the original"),
    "check_digits": ("dígitos verificadores não conferem", "check digits do not match"),
    "not_a_cnpj": ("não é um CNPJ", "not a CNPJ"),

    "see_help": ("Veja: {command} --help", "See: {command} --help"),
    "no_such_option": ("não há a opção {name}", "there is no option {name}"),
    "missing": ("falta {name}", "{name} is missing"),
    "no_such_command": ("não há o comando {name}", "there is no command {name}"),
    "bad_value": ("o valor de {name} não serve", "the value of {name} will not do"),
    "bad_usage": ("linha de comando não entendida", "command line not understood"),
    "interrupted": ("interrompido", "interrupted"),
    "no_key": ("falta a chave: BRSKILLS_API_KEY, --key-file, ou peça uma grátis com `brskills chave`; `pix` e `decode` "
               "também funcionam sem, com --local",
               "a key is needed: BRSKILLS_API_KEY, --key-file, or get a free one by `brskills chave`; `pix` and `decode` "
               "also work without, by --local"),
    "key_readable": ("outros podem ler {path}: chmod 600 {path}", "others can read {path}: chmod 600 {path}"),
    "unreachable": ("o serviço não responde ({kind}); o endereço é o de --service, BRSKILLS_URL ou {local}",
                    "the service does not answer ({kind}); the address is that of --service, BRSKILLS_URL or {local}"),
    "unexpected": ("resposta inesperada do serviço (HTTP {status})", "unexpected answer of the service (HTTP {status})"),
    "bad_settings": ("o endereço do serviço (https://…), a chave, a espera ou um proxy do ambiente não serve",
                     "the service's address (https://…), the key, the time to wait or a proxy of the environment will not do"),
    "file_error": ("arquivo {reason}", "file {reason}"),
}
# fmt: on


def speaking(language: str) -> Say:
    """The texts in ``pt`` or ``en``."""
    index = 0 if language == "pt" else 1
    return lambda key, **gaps: TEXTS[key][index].format(**gaps)
