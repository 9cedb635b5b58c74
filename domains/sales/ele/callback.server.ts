import { storeWebhookEvent, parseJsonKeepingLongIntegers } from '#domains/platform/external-apis/api.ts'
import { ELE_CALLBACK_PATH } from '#domains/sales/delivery-platforms/index.ts'
import { nullSchema, objectSchema, oneOfSchema, textSchema, integerSchema } from '#kit/resource/response-schema.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import { findEleAccountByKey, ELE_PLATFORM_NAME } from './account.ts'
import { newRequestId } from './ele.client.ts'
import { asciiJson, isEleSignatureValid, signEleMessage, type EleMessage } from './sign.ts'

const system = ELE_PLATFORM_NAME
/** Callbacks per minute and client address. High, because Ele sends those of all shops from few addresses. */
const PER_MINUTE = 12_000
const KEPT_MAX = 100_000

const answered = objectSchema({
  cmd: textSchema,
  source: textSchema,
  ticket: textSchema,
  timestamp: textSchema,
  version: textSchema,
  encrypt: textSchema,
  sign: textSchema,
  body: objectSchema({
    errno: integerSchema,
    error: textSchema,
    data: oneOfSchema(objectSchema({ source_order_id: textSchema }), nullSchema),
  }),
})

type Form = EleMessage & { sign: string }

function formOf(bytes: Buffer): Form | undefined {
  const form = Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))) as Partial<Form>
  const { cmd, timestamp, version, ticket, source, body, sign, encrypt = '' } = form
  if (!cmd || !timestamp || !version || !ticket || !source || !sign || body === undefined) return undefined
  return { ...form, cmd, timestamp, version, ticket, source, body, sign, encrypt }
}

type EleEventBody = Record<string, unknown>

function parseEventBody(body: string): EleEventBody | undefined {
  try {
    const value = parseJsonKeepingLongIntegers(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as EleEventBody) : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/**
 * The number a message is searched by: that of the order, or of the shop. The order number also serves as ours in the
 * answer, which is sent before the order is read.
 */
const subjectOf = (message: EleEventBody): string => textOf(message.order_id) || textOf(message.baidu_shop_id)

/**
 * Receives the messages of the platform, which repeats one until it is acknowledged. A repetition has the first one's
 * `ticket`, which identifies a message. Only the fact that something happened is used, so a late repetition does no
 * harm.
 */
export const eleCallbackRoute = defineRoute({
  method: 'POST',
  path: `${ELE_CALLBACK_PATH}/:key`,
  answers: answered,
  title: { zh: '饿了么回调', en: 'Ele.me callback' },
  can: { open: 'the platform signs what it says' },
  tx: false,
  raw: true,
  rawResponse: true,
  perMinute: PER_MINUTE,
  handle: async ({ query, bytes, services, reply }) => {
    const account = await findEleAccountByKey(services, query.key ?? '')
    const form = formOf(bytes ?? Buffer.alloc(0))
    if (!account || form?.source !== account.appNo) throw new Refused('forbidden')
    if (!isEleSignatureValid(form, form.sign, account.secret)) throw new Refused('forbidden')
    const message = form.encrypt || form.body.length > KEPT_MAX ? undefined : parseEventBody(form.body)
    if (message)
      await services.unit({ tenantId: account.tenantId }, (db) =>
        storeWebhookEvent(db, {
          system,
          kind: form.cmd,
          eventKey: form.ticket.slice(0, 128),
          subject: subjectOf(message),
          body: form.body,
        }),
      )
    const answer = message
      ? {
          errno: 0,
          error: 'success',
          data: form.cmd === 'order.create' ? { source_order_id: subjectOf(message) } : null,
        }
      : { errno: -1, error: 'the body is not readable', data: null }
    return reply({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: answerText(form, asciiJson(answer), {
        secret: account.secret,
        timestamp: `${Math.floor(services.now().getTime() / 1000)}`,
      }),
    })
  },
})

/** Builds the answer. Its body must be the exact text that was signed. */
function answerText(form: Form, body: string, { secret, timestamp }: { secret: string; timestamp: string }): string {
  const answer = {
    cmd: `resp.${form.cmd}`,
    source: form.source,
    ticket: newRequestId(),
    timestamp,
    version: form.version,
    encrypt: '',
  }
  const { sign } = signEleMessage({ ...answer, body }, secret)
  return `${asciiJson({ ...answer, sign }).slice(0, -1)},"body":${body}}`
}
