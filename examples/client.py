"""The Python client: a code, who is paid, and companies whose absence is an answer. Needs `brskills`."""

from brskills import Client, CompanyNotFound, ProblemError

with Client() as client:
    code = client.create_pix_code(chave="SANDBOX1000170", nome_recebedor="Loja", cidade="Recife")
    print(code.brcode)
    print(*(alert.codigo for alert in client.conferir(code.brcode).alertas))
    for found in client.companies(["SANDBOX1000170", "SANDBOX4000103", "1"]).resultados:
        if isinstance(found, CompanyNotFound):
            print("not in the register" if found.confirmed else "perhaps too new")
        else:
            print(found if isinstance(found, ProblemError) else found.razao_social)
