import fc from 'fast-check'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { FIELD_PROBLEM_TEXTS } from '#kit/fields/base/problems.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { refusalCatalogue } from '#kit/server/base/refused.ts'
import type { Route } from '#kit/server/module/module.ts'
import type { Samples } from './samples.ts'
import type { TestCaller, TestWorld } from './world.ts'

/** A raw HTTP request, which need not make sense. */
export type Junk = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '1.5',
  '1e999',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  ',',
  ',,,',
  '1,2,3',
  '1,,x',
  "'",
  "' or '1'='1",
  '"; drop table tenant; --',
  '1); select pg_sleep(9); --',
  '%',
  '\\',
  '_%',
  '${userId}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '../../../etc/passwd',
  '..\\..\\windows',
  'C:\\x',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://169.254.169.254/',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066rtl',
  '😀👨‍👩‍👧',
  '\ufeff',
  '\u0007\u001b[31m',
  'ﷺ'.repeat(50),
  '9'.repeat(50),
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '2147483648',
  '99999999999999999999.99',
  '0x1F',
  '١٢٣',
  '2026-02-30',
  '9999-12-31 23:59:59',
  '0000-00-00',
  '-2026-01-01',
  '2026-01-01T00:00:00Z',
  '=cmd|calc',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(3000),
  '中'.repeat(5000),
  '\n\r\n',
  '('.repeat(500),
]

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
)
const deep = fc
  .integer({ min: 2, max: 2000 })
  .map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown)
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      1.5,
      1e308,
      -1e308,
      Number.MAX_SAFE_INTEGER,
      [],
      {},
      [[]],
      [null],
      [{}],
      { id: 1 },
      { toString: 1, valueOf: 1 },
      { length: -1 },
      { zh: 'x' },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 5 }) },
  { weight: 1, arbitrary: deep },
)

const GENERAL_KEYS = [
  'id',
  'ids',
  'current',
  'size',
  'ascs',
  'descs',
  'tenantId',
  'parentId',
  'version',
  'code',
  'key',
  'name',
  'blade-auth',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '',
  '$where',
  'a[b]',
  'a.b',
  'userIds',
  'roleIds',
]
const SUFFIXES = [
  '',
  '',
  '',
  '_like',
  '_equal',
  '_notequal',
  '_likeleft',
  '_notlike',
  '_gt',
  '_lt',
  '_ge',
  '_datege',
  '_datelt',
  '_dateequal',
  '_null',
  '_notnull',
  '_in',
  '_ignore',
  '_',
  '_wrong',
  '_like_like',
]

function keysOf(world: TestWorld, route: Route): string[] {
  const resource = [...world.registry.served.values()]
    .map((one) => one.resource)
    .find((one) => route.path.startsWith(`${one.path}/`))
  const actions = Object.values((resource?.actions ?? {}) as Record<string, { input?: Fields; path?: string }>).flatMap(
    (action) => Object.keys(action.input ?? {}),
  )
  return [...Object.keys(resource?.fields ?? {}), ...Object.keys(route.input ?? {}), ...actions, 'createTime']
}

const encode = (raw: string) => {
  try {
    return encodeURIComponent(raw)
  } catch {
    return '%ED%A0%80'
  }
}

const TYPES = [
  'application/json',
  'application/json; charset=gbk',
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'nonsense',
  '',
  'application/json, text/html',
]

/** A valid draft for a route and the id of an existing row: junk that differs little from them gets furthest. */
export type Sense = { draft: Record<string, unknown>; id?: string }

export async function senseOf(world: TestWorld, samples: Samples, route: Route, tenantId: string): Promise<Sense> {
  const served = [...world.registry.served.values()].find((one) => route.path.startsWith(`${one.resource.path}/`))
  const action =
    served &&
    Object.entries(served.resource.actions as Record<string, { input?: Fields; path?: string }>).find(
      ([name, one]) => route.path === `${served.resource.path}/${one.path ?? name}`,
    )?.[1]
  const inputs = { ...route.input, ...action?.input }
  const draft =
    served && route.path === `${served.resource.path}/submit`
      ? await samples.draft(served.resource, tenantId)
      : Object.fromEntries(Object.entries(inputs).map(([key, field]) => [key, fieldKindOf(field).sample(field, 1)]))
  const row =
    served && (await samples.someRow(served, served.resource.tenancy === 'platform' ? MANAGEMENT_TENANT : tenantId))
  return { draft, ...(row ? { id: String(row.id) } : {}) }
}

const MALFORMED_QUERIES = [
  '%',
  '%zz=1',
  '%E0%A4%A=1',
  'a=%ff',
  '&&&',
  '=',
  '?',
  '#',
  'a=b=c',
  'id=1&id=2',
  'ids[]=1&ids[]=2',
  'size=-1',
  'size=1e9',
  'current=0',
  'current=99999999999999999999',
  `x=${'y'.repeat(9000)}`,
  'ascs=id;drop',
  'descs=__proto__',
  `ids=${'1,'.repeat(1500)}`,
  'id=%00',
  'blade-auth=x',
]

const MALFORMED_BODIES = [
  '{',
  '[',
  '{"a":}',
  '{"a":1,}',
  'null',
  '""',
  '5',
  '[]',
  '{}',
  '\ufeff{}',
  '{"id":1,"id":2}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"isAdmin":true}}',
  'a=b&c=d',
  '<xml/>',
  `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  '\u0000',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n--x--\r\n',
  '--x\r\nbroken',
]

const MALFORMED_BYTES = [
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  Buffer.from('{"name":"中文"}', 'utf16le'),
  Buffer.from([0xc3, 0x28]),
]

/** Generates keys: mostly the route's own, some of other routes, few random ones. */
const keyAmong = (keys: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...keys) },
    { weight: 3, arbitrary: fc.constantFrom(...GENERAL_KEYS) },
    { weight: 1, arbitrary: text },
  )

function searches(key: fc.Arbitrary<string>, id: string | undefined): fc.Arbitrary<string> {
  const query = fc
    .array(fc.tuple(key, fc.constantFrom(...SUFFIXES), text), { maxLength: 5 })
    .map((pairs) => pairs.map(([name, suffix, raw]) => `${encode(name)}${suffix}=${encode(raw)}`).join('&'))
  const pointing = fc.constantFrom('', '', ...(id ? [`id=${id}&ids=${id}&`] : []))
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(pointing, query).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.constantFrom(...MALFORMED_QUERIES) },
  )
}

function bodiesOf(keys: readonly string[], key: fc.Arbitrary<string>, { draft, id }: Sense) {
  const wrongEntity = fc
    .array(fc.tuple(key, value), { minLength: 1, maxLength: 4 })
    .chain((pairs) =>
      fc
        .constantFrom({}, ...(id ? [{ id, ids: id }] : []))
        .map((row) => JSON.stringify({ ...draft, ...row, ...Object.fromEntries(pairs) })),
    )
  const allWrong = fc
    .array(value, { minLength: keys.length, maxLength: keys.length })
    .map((values) => JSON.stringify(Object.fromEntries(keys.map((name, at) => [name, values[at]]))))
  return fc.oneof<fc.Arbitrary<string | Buffer>[]>(
    wrongEntity,
    wrongEntity,
    wrongEntity,
    allWrong,
    value.map((one) => JSON.stringify(one) ?? ''),
    fc.array(fc.dictionary(key, value, { maxKeys: 3 }), { maxLength: 3 }).map((rows) => JSON.stringify(rows)),
    fc.constantFrom(...MALFORMED_BODIES),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(...MALFORMED_BYTES),
  )
}

const pathsOf = (route: Route): fc.Arbitrary<string> =>
  fc.array(text, { minLength: 3, maxLength: 3 }).map((raws) => {
    let at = 0
    return route.path
      .replace(/:(\w+)/g, () => encode(raws[at++ % 3]!.slice(0, 200)) || 'x')
      .replace('/*', `/${encode(raws[2]!.slice(0, 200))}`)
  })

/**
 * Generates requests for a route: filters, arguments, entities with single wrong fields, and bodies that are not valid
 * at all.
 */
export function junkFor(world: TestWorld, route: Route, sense: Sense): fc.Arbitrary<Junk> {
  const keys = keysOf(world, route)
  const key = keyAmong(keys)
  const verbs = route.method === 'ANY' ? (['GET', 'POST'] as const) : [route.method]
  return fc
    .tuple(
      fc.constantFrom(...verbs),
      pathsOf(route),
      searches(key, sense.id),
      bodiesOf(keys, key, sense),
      fc.oneof(
        { weight: 5, arbitrary: fc.constant('application/json') },
        { weight: 2, arbitrary: fc.constantFrom(...TYPES) },
      ),
      fc.constantFrom('zh', 'en', '', 'x'.repeat(300), '*;q=0'),
    )
    .map(([method, where, search, payload, type, language]) => ({
      method,
      url: `${where}${search ? `?${search}` : ''}`,
      headers: { 'accept-language': language, ...(method !== 'GET' && type ? { 'content-type': type } : {}) },
      ...(method !== 'GET' ? { payload } : {}),
    }))
}

let fragments: readonly string[] | undefined
/** Returns the Chinese parts of all refusal texts. */
const chineseOfTheProduct = () =>
  (fragments ??= [
    ...[...refusalCatalogue().values()].flatMap((words) => [words, words.none ?? words]),
    ...Object.values(FIELD_PROBLEM_TEXTS),
  ]
    .flatMap((words) => words.zh.split(/\{\w+\}/))
    .map((part) => part.trim())
    .filter((part) => /\p{Script=Han}{3}/u.test(part)))

const INTERNALS = new RegExp(
  String.raw`\bat \w+ \(|node_modules|syntax error|relation "|violates|\bselect .* from\b|TypeError|ReferenceError|` +
    String.raw`\.ts:\d+|ECONN|undefined is not|Cannot read`,
  'i',
)

/** Returns what is wrong with an answer to junk: a crash, a timeout, a body without envelope, internals shown. */
export function faultOf(
  route: Route,
  junk: Junk,
  status: number,
  contentType: string,
  body: string,
): string | undefined {
  if (status >= 500) return `answered ${status}: ${body.slice(0, 200)}`
  if (isElsewhere(status)) return route.path.includes('oauth/') || status === 302 ? undefined : `answered ${status}`
  if (!/json/.test(contentType))
    return status === 200 ? undefined : `refused as ${contentType || 'nothing'}: ${body.slice(0, 80)}`
  let answer: Answer
  try {
    answer = JSON.parse(body) as Answer
  } catch {
    return `no JSON: ${body.slice(0, 80)}`
  }
  if (status === 200 && route.rawResponse) return undefined
  if (!isEnvelope(answer, status)) return `no envelope: ${status} ${body.slice(0, 120)}`
  const { msg } = answer
  const refused = status === 200 ? undefined : sentenceFault(msg, junk.headers['accept-language'])
  if (refused) return refused
  return isUnfilled(msg) ? `an unfilled sentence: ${msg}` : undefined
}

const isElsewhere = (status: number): boolean => status < 200 || (status > 300 && status < 400)
const isUnfilled = (sentence: string): boolean => /\{\w+\}/.test(sentence) && !/\$\{|\{\{/.test(sentence)

type Answer = { code?: unknown; success?: unknown; data?: unknown; msg?: unknown }

const isEnvelope = (answer: Answer, status: number): answer is Answer & { msg: string } =>
  typeof answer === 'object' &&
  answer.code === status &&
  answer.success === (status === 200) &&
  typeof answer.msg === 'string' &&
  'data' in answer &&
  answer.data !== null

/** Returns what is wrong with a refusal's text: it shows internals, or is in the other language. */
function sentenceFault(msg: string, language: string | undefined): string | undefined {
  if (INTERNALS.test(msg)) return `shows its inside: ${msg.slice(0, 120)}`
  // Names and sent texts may appear in an English sentence, but none of the product's own Chinese.
  const foreign = language === 'en' ? chineseOfTheProduct().find((words) => msg.includes(words)) : undefined
  if (foreign) return `answers English with "${foreign}": ${msg.slice(0, 120)}`
  return language === 'zh' && !/\p{Script=Han}/u.test(msg) ? `answers Chinese with "${msg.slice(0, 120)}"` : undefined
}

/** Sends a request. Returns undefined when no answer comes in time. */
export async function sendFuzzedRequest(
  world: TestWorld,
  who: TestCaller | undefined,
  junk: Junk,
  milliseconds = 5000,
): Promise<{ status: number; contentType: string; body: string; millis: number } | undefined> {
  const started = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), milliseconds)))
  const answered = world.http
    .inject({
      ...junk,
      headers: { ...junk.headers, ...(who ? { 'blade-auth': `bearer ${who.token}` } : {}) },
      // Another address each time, so that rate limits do not hide other faults.
      remoteAddress: `10.${[65_536, 256, 1].map((unit) => Math.floor(started / unit) % 250).join('.')}`,
    })
    .then((response) => ({
      status: response.statusCode,
      contentType: String(response.headers['content-type'] ?? ''),
      body: response.body,
      millis: performance.now() - started,
    }))
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
