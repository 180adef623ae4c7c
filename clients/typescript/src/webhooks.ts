/** The webhooks of an account and their deliveries, with the names of the API. */

/** An address to which the service sends `eventos`. `motivo`: why it is not `ativo`, as `pedido`, `gone` (410) or `falhas`. */
export interface Webhook {
  id: string;
  url: string;
  eventos: string[];
  descricao: string | null;
  ativo: boolean;
  motivo: string | null;
  criado_em: string;
}

/** With a new secret, shown this once. `segredo_anterior_ate`: until then deliveries are also signed with the one before. */
export interface IssuedWebhook extends Webhook {
  segredo: string;
  segredo_anterior_ate?: string | null;
}

/** What can be changed; `ativo: true` enables a disabled one again. */
export type WebhookFields = Partial<Pick<Webhook, "url" | "eventos" | "descricao" | "ativo">>;

/** An attempt to deliver; `id` is the event's, the header `webhook-id` of each of its attempts. */
export interface DeliveryAttempt {
  id: string;
  tipo: string;
  tentativa: number;
  em: string;
  status: number | null;
  erro: string | null;
  duracao_ms: number;
}
