import { storeWebhookEvent, type WebhookHandler } from '#domains/platform/external-apis/api.ts'
import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { NOTIFY_PATH, decryptWechatAccount } from './accounts.ts'
import { payAccount } from './pay-account.resource.ts'
import { isSignatureProbe, decryptResourceText, type EncryptedResource } from './sign.ts'
import { isSignedByWechatPay, readSignatureHeaders } from './wechat-pay.client.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const wechatEventHandlersSlot = defineSlot<Record<string, WebhookHandler>>('wechatEvents')

/** Registers a module's handler for events by the first part of their type: `REFUND`, `TRANSACTION`. */
export const onWechatEvent = (services: Services, kind: string, handler: WebhookHandler): void =>
  services.slots.add(wechatEventHandlersSlot, kind, handler)

/** Passes an event to the handler of its kind; events without one are only stored. */
export const handleWechatEvent: WebhookHandler = async (event, context) =>
  context.services.slots.find(wechatEventHandlersSlot)?.[event.kind.split('.', 1)[0]!]?.(event, context)

type Envelope = { id: string; event_type: string; resource: EncryptedResource }
const SUBJECTS = ['out_refund_no', 'out_trade_no', 'out_order_no'] as const

function envelopeOf(text: string): Envelope | undefined {
  try {
    const { id, event_type, resource } = parseUntrustedJson(text) as Partial<Envelope>
    const isWhole =
      [id, event_type, resource?.ciphertext, resource?.nonce].every((one) => typeof one === 'string') &&
      id!.length <= 128
    return isWhole ? { id: id!, event_type: event_type!, resource: resource! } : undefined
  } catch {
    return undefined
  }
}

/** Decrypts the content of an event; undefined when it was not encrypted with our key. */
function openedText({ resource }: Envelope, apiv3Key: string): string | undefined {
  try {
    return decryptResourceText(resource, apiv3Key)
  } catch {
    return undefined
  }
}

function subjectOf(body: string): string {
  const payload = parseUntrustedJson(body) as Record<string, unknown>
  const key = SUBJECTS.find((one) => typeof payload[one] === 'string')
  return key ? String(payload[key]) : ''
}

async function accountNamed({ services, query }: Call, name: string) {
  const [, tenantId, id] = /^(\d{6,12})-(\d{1,19})$/.exec(query[name] ?? '') ?? []
  const row = tenantId && (await services.unit({ tenantId }, (db) => db.get(payAccount, id!)))
  return row && row.enabled ? decryptWechatAccount(services, row) : undefined
}

/**
 * Callback route of WeChat Pay: verifies the raw bytes, decrypts, stores, then acknowledges. Test callbacks with an
 * invalid signature are refused like any other.
 */
export const notifyRoute = defineRoute({
  method: 'POST',
  path: `${NOTIFY_PATH}/:account`,
  answersAs: { status: 204 },
  title: { zh: '微信支付回调', en: 'WeChat Pay callback' },
  can: { open: 'WeChat Pay signs what it says' },
  tx: false,
  rawResponse: true,
  raw: true,
  log: false,
  perMinute: 6000,
  documentedInput: { account: f.text({ label: payAccount.label, required: true, max: 40 }) },
  handle: async (call) => {
    const { services, request, reply } = call
    const account = await accountNamed(call, 'account')
    if (!account) throw new Refused('forbidden')
    const headers = readSignatureHeaders(request.headers)
    const text = call.bytes?.toString('utf8') ?? ''
    if (isSignatureProbe(headers.signature) || !(await isSignedByWechatPay(services, account, headers, text)))
      throw new Refused('forbidden')
    const envelope = envelopeOf(text)
    const body = envelope && openedText(envelope, account.apiv3Key)
    if (!envelope || body === undefined) throw new Refused('forbidden')
    await services.unit({ tenantId: account.tenantId }, (db) =>
      storeWebhookEvent(db, {
        system: 'wechat',
        kind: envelope.event_type,
        eventKey: envelope.id,
        subject: subjectOf(body),
        body,
      }),
    )
    return reply({ status: 204 })
  },
})
