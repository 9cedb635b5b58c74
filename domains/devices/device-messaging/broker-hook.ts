import { f } from '#kit/resource/index.ts'
import { mayPublish, maySubscribe } from '#kit/server/broker/index.ts'
import {
  arraySchema,
  objectSchema,
  oneOfSchema,
  textSchema,
  enumSchema,
  booleanSchema,
  type ResponseTypeOf,
} from '#kit/resource/response-schema.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { equalsInConstantTime } from '#kit/server/security/index.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { authenticateDevice, hasDeviceKey } from './device-key.ts'
import { deviceTopicGrant } from './topics.ts'

/** Secret an external broker sends in the Authorization header. Without one the routes answer not found. */
export const brokerHookSecretSlot = defineSlot<string>('brokerHookSecret')

/**
 * Answer of both routes in EMQX 5's form. A denial is a 200 as well: with any other status EMQX would ask its next
 * authenticator.
 */
const verdict = objectSchema({ result: enumSchema('allow', 'deny') })
const allowed = objectSchema({
  permission: enumSchema('allow', 'deny'),
  action: enumSchema('publish', 'subscribe', 'all'),
  topic: textSchema,
})
const admitted = objectSchema({
  result: enumSchema('allow'),
  is_superuser: booleanSchema,
  client_attrs: objectSchema({ tenant: textSchema }),
  acl: arraySchema(allowed),
})
type Verdict = ResponseTypeOf<typeof verdict>
type Allowed = ResponseTypeOf<typeof allowed>
type Admitted = ResponseTypeOf<typeof admitted>
const DENY: Verdict = { result: 'deny' }

function admit({ services, request }: Call): void {
  const secret = services.slots.find(brokerHookSecretSlot)
  if (!secret) throw new Refused('not_found', { label: { zh: '接口', en: 'Endpoint' } })
  if (!equalsInConstantTime(String(request.headers.authorization ?? ''), `Bearer ${secret}`))
    throw new Refused('not_signed_in')
}

const NAME = { zh: '设备编号', en: 'Device ID' }
const client = () => ({
  clientid: f.text({ label: NAME, max: 256 }),
  username: f.text({ label: { zh: '账号', en: 'Account' }, max: 256 }),
})

/**
 * Authenticates a device for the broker. Answers its tenant and its own topics, which EMQX keeps for the session from
 * version 5.8 on.
 */
async function authenticate(call: Call): Promise<Verdict | Admitted> {
  admit(call)
  const { clientid, username, password } = call.input as Record<string, string | null>
  const credentials = { clientId: clientid ?? '', username: username ?? '', password: password ?? '' }
  const found = await authenticateDevice(call.services.systemPool, credentials)
  if (!found) return DENY
  const grant = deviceTopicGrant(found.tenantId, credentials.clientId)
  const allowing = (action: 'publish' | 'subscribe') =>
    grant[action].map((prefix): Allowed => ({ permission: 'allow', action, topic: `${prefix}#` }))
  return {
    result: 'allow',
    is_superuser: false,
    client_attrs: { tenant: found.tenantId },
    acl: [...allowing('publish'), ...allowing('subscribe'), { permission: 'deny', action: 'all', topic: '#' }],
  }
}

/**
 * Decides whether a device may publish or subscribe to a topic. Brokers that ask for each message cut a revoked device
 * off at once.
 */
async function authorize(call: Call): Promise<Verdict> {
  admit(call)
  const { clientid, username, tenant, topic, action } = call.input as Record<string, string | null>
  if (!clientid || clientid !== username || !tenant || !topic) return DENY
  const grant = deviceTopicGrant(tenant, clientid)
  const isOwn = action === 'publish' ? mayPublish(grant, topic) : action === 'subscribe' && maySubscribe(grant, topic)
  return isOwn && (await hasDeviceKey(call.services.systemPool, tenant, clientid)) ? { result: 'allow' } : DENY
}

const can = { open: 'a broker says the secret of this installation in its header' }
const hookOptions = { method: 'POST', can, tx: false, rawResponse: true, log: false } as const

/** Routes for a broker with an HTTP authenticator such as EMQX. They apply the same rules as the built-in broker. */
export const brokerHookRoutes = [
  defineRoute({
    ...hookOptions,
    path: '/api/broker/authn',
    answers: oneOfSchema(objectSchema({ result: enumSchema('deny') }), admitted),
    title: { zh: '消息服务器核对设备', en: 'Broker device check' },
    input: { ...client(), password: f.text({ label: { zh: '密钥', en: 'Secret' }, max: 400 }) },
    handle: authenticate,
  }),
  defineRoute({
    ...hookOptions,
    path: '/api/broker/acl',
    answers: verdict,
    title: { zh: '消息服务器核对主题', en: 'Broker topic check' },
    input: {
      ...client(),
      tenant: f.text({ label: { zh: '租户', en: 'Tenant' }, max: 32 }),
      topic: f.text({ label: { zh: '主题', en: 'Topic' }, max: 1024 }),
      action: f.text({ label: { zh: '动作', en: 'Action' }, max: 20 }),
    },
    handle: authorize,
  }),
]
