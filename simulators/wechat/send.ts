import { refuse, type App, type Body, type World } from './world.ts'

const ONCE_MS = 10 * 60_000

/** Checks a template field's value, by the prefix of its name. */
const TAKES: Record<string, (value: string) => boolean> = {
  thing: (value) => [...value].length <= 20,
  name: (value) => [...value].length <= 10,
  phrase: (value) => /^\p{Script=Han}{1,5}$/u.test(value),
  number: (value) => value.length <= 32 && Number.isFinite(Number(value)),
  letter: (value) => /^[A-Za-z]{1,32}$/.test(value),
  symbol: (value) => [...value].length <= 5,
  character_string: (value) => /^[!-~]{1,32}$/.test(value),
  time: (value) => /^(\d{4}[年-]\d{1,2}[月-]\d{1,2}日? )?\d{1,2}:\d{2}(:\d{2})?$/.test(value),
  date: (value) => /^\d{4}[年-]\d{1,2}[月-]\d{1,2}日?( \d{1,2}:\d{2}(:\d{2})?)?$/.test(value),
  phone_number: (value) => /^[\d+-]{1,17}$/.test(value),
  car_number: (value) => [...value].length <= 8,
}

function valuesOf(app: App, templateNo: string, data: Body): Record<string, string> {
  const fields = app.templates.get(templateNo) ?? refuse(40037, 'invalid template_id')
  const values: Record<string, string> = {}
  for (const field of fields) {
    const value = data?.[field]?.value
    const takes = TAKES[field.replace(/\d{1,3}$/, '')]
    if (typeof value !== 'string' || !value || takes?.(value) === false)
      refuse(47003, `argument invalid! data.${field}.value invalid`)
    values[field] = value
  }
  const extra = Object.keys(data ?? {}).find((field) => !fields.includes(field))
  return extra && app.kind === 'mini' ? refuse(47003, `argument invalid! data.${extra} unknown`) : values
}

/** Sends a subscription message; each consent allows one. */
export function sendSubscribed(world: World, app: App, body: Body): Body {
  if (app.kind !== 'mini') refuse(48001, 'api unauthorized')
  const allowed = app.people.get(String(body.touser)) ?? refuse(40003, 'invalid openid')
  const templateNo = String(body.template_id)
  const values = valuesOf(app, templateNo, body.data)
  const target = String(body.page ?? '')
  if (target && !app.pages.has(target.split('?', 1)[0]!)) refuse(41030, 'invalid page')
  const left = allowed.get(templateNo) ?? 0
  if (left <= 0) refuse(43101, 'user refuse to accept the msg')
  allowed.set(templateNo, left - 1)
  const msgid = world.newNo()
  world.outbox.push({ openid: String(body.touser), templateNo, target, values, at: world.now() })
  return { msgid }
}

/** Sends a template message to a follower; a `client_msg_id` repeated within ten minutes is sent once. */
export function sendOfficial(world: World, app: App, body: Body): Body {
  if (app.kind !== 'official') refuse(48001, 'api unauthorized')
  const openid = String(body.touser)
  if (!/^[\w-]{6,64}$/.test(openid)) refuse(40003, 'invalid openid')
  if (!app.people.has(openid)) refuse(43004, 'require subscribe')
  const values = valuesOf(app, String(body.template_id), body.data)
  const key = `${openid} ${body.client_msg_id}`
  const before = body.client_msg_id ? app.sent.get(key) : undefined
  if (before && before.at > world.now() - ONCE_MS) return { msgid: before.msgid }
  const msgid = world.newNo()
  app.sent.set(key, { at: world.now(), msgid })
  world.outbox.push({
    openid,
    templateNo: String(body.template_id),
    target: String(body.url ?? ''),
    values,
    at: world.now(),
  })
  return { msgid }
}
