BEGIN TRANSACTION;
CREATE TABLE account_events (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, id TEXT NOT NULL,
             expires_at BIGINT NOT NULL, PRIMARY KEY (account, id));
CREATE TABLE accounts (
             id TEXT PRIMARY KEY, plan TEXT NOT NULL, monthly_limit BIGINT, created_at BIGINT NOT NULL,
             email TEXT, own_lane TEXT NOT NULL, skills TEXT NOT NULL,
             customer TEXT, subscriptions TEXT NOT NULL, billing_version BIGINT NOT NULL, last_place BIGINT NOT NULL DEFAULT 0);
INSERT INTO "accounts" VALUES('acc_1','free',100,1795000000,'é@exemplo.com.br','','[]',NULL,'{}',0,0);
INSERT INTO "accounts" VALUES('acc_2','pro',9,1795000000,NULL,'pro','["check_plate", "look_up_bank"]','cus_1','{"sub_1": {"customer": "cus_1", "status": "active", "plan": "pro", "paid_back": false}, "sub_2": {"customer": "cus_1", "status": "past_due", "plan": null, "paid_back": true}}',1,0);
INSERT INTO "accounts" VALUES('acc_3','enterprise',NULL,1795000000,NULL,'','[]',NULL,'{}',0,0);
INSERT INTO "accounts" VALUES('acc_b8247470a307f8a8','pro',10000,1795946821,'dona@exemplo.com.br','','[]',NULL,'{}',0,1);
CREATE TABLE announcements (
             name TEXT PRIMARY KEY, announced TEXT NOT NULL, target TEXT NOT NULL, began BIGINT NOT NULL,
             after_cnpj TEXT NOT NULL, after_account TEXT NOT NULL, version BIGINT NOT NULL);
CREATE TABLE attempts (
             webhook TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE, at BIGINT NOT NULL,
             id TEXT NOT NULL, type TEXT NOT NULL, number BIGINT NOT NULL, status BIGINT, error TEXT NOT NULL,
             duration BIGINT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (webhook, at, id));
CREATE TABLE changes (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, place BIGINT NOT NULL,
             id TEXT NOT NULL, cnpj TEXT NOT NULL, reference TEXT, day TEXT NOT NULL, changes TEXT NOT NULL,
             expires_at BIGINT NOT NULL, PRIMARY KEY (account, place), UNIQUE (account, id));
INSERT INTO "changes" VALUES('acc_b8247470a307f8a8',1,'a85ff5ab04b0070223292ea19c359c56','SANDBOX1000170','cliente 7','2026-09-12','[{"data_base": "2026-09-12", "campo": "capital_social", "de": "100000.00", "para": "250000.00"}, {"data_base": "2026-09-12", "campo": "socios", "de": [{"nome": "PEDRO DE EXEMPLO", "tipo": "PF", "documento": "***000333**", "qualificacao": {"codigo": "22", "descricao": "Sócio"}, "data_entrada": "2020-01-15", "faixa_etaria": "61 a 70 anos", "pais": null, "pais_codigo": null, "representante_legal": null}], "para": [{"nome": "EXEMPLO HOLDINGS LLC", "tipo": "PJ", "documento": "SANDBOX2000114", "qualificacao": {"codigo": "37", "descricao": "Sócio Pessoa Jurídica Domiciliado no Exterior"}, "data_entrada": "2021-05-04", "faixa_etaria": null, "pais": "ESTADOS UNIDOS", "pais_codigo": "249", "representante_legal": {"nome": "JOANA DE EXEMPLO", "documento": "***000111**", "qualificacao": {"codigo": "17", "descricao": "Procurador"}}}]}]',1829560000);
CREATE TABLE claims (
             id TEXT PRIMARY KEY, request TEXT NOT NULL, calls BIGINT NOT NULL, answered BIGINT NOT NULL,
             expires_at BIGINT NOT NULL);
INSERT INTO "claims" VALUES('claim','asked',1,1,1795000004);
CREATE TABLE clients (
             id TEXT PRIMARY KEY, name TEXT NOT NULL, redirect_uris TEXT NOT NULL, uri TEXT,
             created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL);
INSERT INTO "clients" VALUES('brsk_cl_1','é','["https://c.example/cb", "http://127.0.0.1/"]','https://c.example',1795000000,1795000003);
INSERT INTO "clients" VALUES('https://c.example/#client','d','["https://c.example/cb"]',NULL,1795000000,1795000003);
CREATE TABLE companies (cnpj TEXT PRIMARY KEY, entry TEXT NOT NULL, expires_at BIGINT NOT NULL);
INSERT INTO "companies" VALUES('33000167000101','{"form": 1, "record": "\u0000 \u00e9", "at": 5}',1795000005);
INSERT INTO "companies" VALUES('19131243000197','{"form": 1, "confirmed": 0, "data_base": "", "at": 5}',1795000005);
CREATE TABLE deliveries (
             webhook TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE, id TEXT NOT NULL,
             type TEXT NOT NULL, body TEXT NOT NULL, due BIGINT NOT NULL, attempts BIGINT NOT NULL,
             PRIMARY KEY (webhook, id));
INSERT INTO "deliveries" VALUES('wh_1a1ee565e00c7b8ba62e7edcf2d','msg_1c1c7f3852bc18b8d4a0fc9f4ef0c7be','company.changed','{"type":"company.changed","timestamp":"2026-11-18T11:06:40Z","data":{"id":"a85ff5ab04b0070223292ea19c359c56","cnpj":"SANDBOX1000170","referencia":"cliente 7","data_base":"2026-09-12","mudancas":[{"data_base":"2026-09-12","campo":"capital_social","de":"100000.00","para":"250000.00"},{"data_base":"2026-09-12","campo":"socios","de":[{"nome":"PEDRO DE EXEMPLO","tipo":"PF","documento":"***000333**","qualificacao":{"codigo":"22","descricao":"Sócio"},"data_entrada":"2020-01-15","faixa_etaria":"61 a 70 anos","pais":null,"pais_codigo":null,"representante_legal":null}],"para":[{"nome":"EXEMPLO HOLDINGS LLC","tipo":"PJ","documento":"SANDBOX2000114","qualificacao":{"codigo":"37","descricao":"Sócio Pessoa Jurídica Domiciliado no Exterior"},"data_entrada":"2021-05-04","faixa_etaria":null,"pais":"ESTADOS UNIDOS","pais_codigo":"249","representante_legal":{"nome":"JOANA DE EXEMPLO","documento":"***000111**","qualificacao":{"codigo":"17","descricao":"Procurador"}}}]}]}}',1795000000,0);
CREATE TABLE demo_months (
             address TEXT NOT NULL, month TEXT NOT NULL, calls BIGINT NOT NULL, absences BIGINT NOT NULL,
             expires_at BIGINT NOT NULL, uncounted BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (address, month));
INSERT INTO "demo_months" VALUES('address','2026-10',1,0,1795000007,0);
INSERT INTO "demo_months" VALUES('address','2026-11',2,1,1795000007,3);
INSERT INTO "demo_months" VALUES('address','2026-09',0,0,1795000007,3);
CREATE TABLE events (id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL);
INSERT INTO "events" VALUES('evt_1',1795000009);
CREATE TABLE grant_months (
             grant_id TEXT NOT NULL REFERENCES grants ON DELETE CASCADE, month TEXT NOT NULL,
             calls BIGINT NOT NULL, PRIMARY KEY (grant_id, month));
INSERT INTO "grant_months" VALUES('grant_2','2026-11',3);
CREATE TABLE grants (
             id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             key TEXT NOT NULL, client TEXT NOT NULL, client_name TEXT NOT NULL, scopes TEXT NOT NULL,
             resource TEXT NOT NULL, redirect_uri TEXT NOT NULL, challenge TEXT NOT NULL, code TEXT NOT NULL,
             created_at BIGINT NOT NULL, used_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
             family TEXT NOT NULL, turn TEXT NOT NULL, access TEXT NOT NULL, access_ends BIGINT NOT NULL,
             former TEXT NOT NULL, former_ends BIGINT NOT NULL, version BIGINT NOT NULL);
INSERT INTO "grants" VALUES('grant_2','acc_2','k2','brsk_cl_1','é','["cnpj", "pix"]','https://api.example/mcp','https://c.example/cb','challenge','code',1795000000,1795000000,1797592001,'family','turn','access',1795003601,'',0,1);
INSERT INTO "grants" VALUES('grant_1','acc_2','k2','brsk_cl_1','é','[]','https://api.example/mcp','https://c.example/cb','challenge','code',1795000000,1795000000,1795000002,'','','',0,'',0,0);
CREATE TABLE history (
             day TEXT PRIMARY KEY, calls BIGINT NOT NULL, failed BIGINT NOT NULL,
             expires_at BIGINT NOT NULL, demo_calls BIGINT NOT NULL DEFAULT 0, demo_failed BIGINT NOT NULL DEFAULT 0);
INSERT INTO "history" VALUES('2026-10-31',5,2,1795000009,4,3);
INSERT INTO "history" VALUES('2026-11-01',5,2,1795000009,4,3);
INSERT INTO "history" VALUES('2026-11-18',10,4,1795000009,8,6);
CREATE TABLE keys (
             digest TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             expires_at BIGINT NOT NULL);
INSERT INTO "keys" VALUES('k1','acc_1',0);
INSERT INTO "keys" VALUES('k2','acc_2',0);
INSERT INTO "keys" VALUES('k3','acc_2',1795000005);
INSERT INTO "keys" VALUES('49712429d594135c4a97f35d148130743838eae3e9e9d9efd9b11a1e1465c047','acc_b8247470a307f8a8',0);
CREATE TABLE months (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, month TEXT NOT NULL,
             calls BIGINT NOT NULL, absences BIGINT NOT NULL, uncounted BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (account, month));
INSERT INTO "months" VALUES('acc_2','2026-10',0,0,0);
INSERT INTO "months" VALUES('acc_2','2026-11',3,1,20);
INSERT INTO "months" VALUES('acc_2','2026-09',0,0,20);
INSERT INTO "months" VALUES('acc_b8247470a307f8a8','2026-11',1,0,0);
CREATE TABLE provider_state (field TEXT PRIMARY KEY, number BIGINT, text TEXT);
INSERT INTO "provider_state" VALUES('base:opencnpj',NULL,'2026-09-15');
INSERT INTO "provider_state" VALUES('open:cnpja',7,NULL);
INSERT INTO "provider_state" VALUES('seen:x',0,NULL);
CREATE TABLE releases (id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL);
INSERT INTO "releases" VALUES('release-0',1099511627776);
INSERT INTO "releases" VALUES('release-1',1099511627776);
INSERT INTO "releases" VALUES('release-2',1099511627776);
INSERT INTO "releases" VALUES('release-3',1099511627776);
CREATE TABLE salts (month TEXT PRIMARY KEY, salt TEXT NOT NULL, expires_at BIGINT NOT NULL);
INSERT INTO "salts" VALUES('2026-11','00ff2073616c74',1795000006);
INSERT INTO "salts" VALUES('proof keys','5b5d',253402300799);
CREATE TABLE schema_version (version BIGINT NOT NULL);
INSERT INTO "schema_version" VALUES(8);
CREATE TABLE signups (
             pseudonym TEXT NOT NULL, day TEXT NOT NULL, issued BIGINT NOT NULL,
             expires_at BIGINT NOT NULL, PRIMARY KEY (pseudonym, day));
INSERT INTO "signups" VALUES('pseudonym','2026-11-18',1,1795000008);
INSERT INTO "signups" VALUES('pseudonym','2026-11-19',1,1795000008);
CREATE TABLE tasks (
             id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             scope TEXT NOT NULL, request TEXT NOT NULL, created_at BIGINT NOT NULL,
             updated_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, lease_ends BIGINT NOT NULL,
             status TEXT NOT NULL, version BIGINT NOT NULL, runs BIGINT NOT NULL, outcome TEXT NOT NULL);
CREATE TABLE tidying (until BIGINT NOT NULL);
INSERT INTO "tidying" VALUES(0);
CREATE TABLE watches (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, cnpj TEXT NOT NULL,
             reference TEXT, since BIGINT NOT NULL, PRIMARY KEY (account, cnpj));
INSERT INTO "watches" VALUES('acc_b8247470a307f8a8','SANDBOX1000170','cliente 7',1795000000);
INSERT INTO "watches" VALUES('acc_b8247470a307f8a8','33000167000101',NULL,1795000000);
CREATE TABLE webhooks (
             id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             url TEXT NOT NULL, events TEXT NOT NULL, description TEXT, secrets TEXT NOT NULL,
             created_at BIGINT NOT NULL, inactive TEXT NOT NULL, failing_since BIGINT NOT NULL,
             version BIGINT NOT NULL, next_due BIGINT NOT NULL, claimed_until BIGINT NOT NULL);
INSERT INTO "webhooks" VALUES('wh_1a1ee565e00c7b8ba62e7edcf2d','acc_b8247470a307f8a8','https://erp.example.com/brskills','["company.changed"]','ERP','[["whsec_7rFmeVRmLTJgoghxinrAf692LdojmKpqI1ZEUFPWCd8=", 0]]',1795000000,'',0,1,1795000000,0);
CREATE INDEX keys_of_account ON keys (account);
CREATE INDEX grants_of_account ON grants (account);
CREATE UNIQUE INDEX watches_by_number ON watches (cnpj, account);
CREATE UNIQUE INDEX webhooks_of_account ON webhooks (account, id);
CREATE INDEX webhooks_by_due ON webhooks (next_due);
CREATE INDEX deliveries_by_due ON deliveries (webhook, due);
CREATE INDEX tasks_of_account ON tasks (account);
COMMIT;
