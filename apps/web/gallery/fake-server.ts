import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Plugin } from 'vite'
import { parseFieldInput } from '../../../kit/fields/kinds.ts'
import { fieldProblemSentence } from '../../../kit/fields/problem-sentence.ts'
import type { Resource } from '../../../kit/resource/define-resource.ts'
import type { Field } from '../../../kit/fields/base/field-kind.ts'
import { ago, departments, dictionaries, regions, shop, users } from './fake-rows.ts'
import { sample, sampleTree } from './sample.resource.ts'

type Row = Record<string, any>
type FakeRequest = { query: Record<string, string>; body: Row; lang: 'zh' | 'en' }

class Refusal {
  readonly status: number
  readonly msg: string
  readonly data: Row
  constructor(status: number, msg: string, data: Row = {}) {
    this.status = status
    this.msg = msg
    this.data = data
  }
}

const shops = Array.from({ length: 57 }, (_, index) => shop(index + 1))
const rows: Record<string, Row[]> = { sample: shops, sampleTree: departments() }
const resources: Record<string, Resource<any, any>> = { sample, sampleTree }
const settings: Record<string, unknown> = {}
const listeners = new Set<ServerResponse>()
let mood = ''

const emitLive = (topic: string, data: Row) =>
  listeners.forEach((one) => one.write(`event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`))
const word = (code: string, key: string, lang: 'zh' | 'en') =>
  dictionaries[code]?.find((entry) => entry.key === String(key))?.[lang] ?? ''
const name = (id: string) => users.find((user) => user.id === id)?.title ?? ''

function present(row: Row, lang: 'zh' | 'en'): Row {
  if (!row.owner) return { ...row }
  return {
    ...row,
    statusName: word('sample_status', row.status, lang),
    kindName: word('sample_kind', row.kind, lang),
    ownerName: name(row.owner),
    featuresName: row.features
      .split(',')
      .map((key: string) => word('sample_feature', key, lang))
      .join(','),
    staffName: row.staff.split(',').map(name).join(','),
    regionName: row.region ? '浙江省 / 杭州市 / 西湖区' : '',
    parentName: '',
    pin: '',
  }
}

function matches(row: Row, [key, want]: [string, string]): boolean {
  const [, field = key, suffix = ''] = /^(\w+)_([a-z]+)$/.exec(key) ?? []
  if (!(field in row) || want === '') return true
  const value = String(row[field])
  if (suffix === 'like') return value.includes(want)
  if (suffix === 'likeright') return value.startsWith(want)
  if (suffix === 'ge') return Number(value) >= Number(want)
  if (suffix === 'le') return Number(value) <= Number(want)
  if (/^date[gl]/.test(suffix))
    return suffix[4] === 'g' ? value.slice(0, 10) >= want.slice(0, 10) : value.slice(0, 10) <= want.slice(0, 10)
  return want.split(',').some((one) => value.split(',').includes(one))
}

function list(resource: string, { query, lang }: FakeRequest) {
  if (mood === 'fail')
    throw new Refusal(
      500,
      lang === 'en' ? 'The service is not available right now, try again shortly' : '服务暂不可用,请稍后再试',
    )
  const { current = '1', size = '10', ascs, descs, ...filters } = query
  const key = descs ?? ascs ?? resources[resource]!.list.sort.replace('-', '')
  const sign = descs || (!ascs && resources[resource]!.list.sort.startsWith('-')) ? -1 : 1
  const found =
    mood === 'empty'
      ? []
      : rows[resource]!.filter((row) => Object.entries(filters).every((entry) => matches(row, entry)))
  found.sort(
    (a, b) =>
      sign *
      (Number.isNaN(Number(a[key])) ? String(a[key]).localeCompare(String(b[key])) : Number(a[key]) - Number(b[key])),
  )
  if (!resources[resource]!.list.paged) return found.map((row) => present(row, lang))
  const from = (Number(current) - 1) * Number(size)
  return {
    records: found.slice(from, from + Number(size)).map((row) => present(row, lang)),
    total: found.length,
    size: Number(size),
    current: Number(current),
    pages: Math.ceil(found.length / Number(size)),
  }
}

function submit(resource: string, { body, lang }: FakeRequest) {
  const fields = resources[resource]!.fields as Record<string, Field>
  const problems: Row = {}
  const isNew = !body.id
  for (const [key, field] of Object.entries(fields)) {
    if (!(key in body) && !isNew) continue
    const parsed = parseFieldInput(body[key] ?? field.default, field)
    if ('problem' in parsed && field.form !== 'read') problems[key] = fieldProblemSentence(parsed.problem, field, lang)
  }
  if (rows[resource]!.some((row) => row.code && row.code === body.code && row.id !== body.id))
    problems.code = fieldProblemSentence({ code: 'taken' }, fields.code!, lang)
  if (Object.keys(problems).length)
    throw new Refusal(400, String(Object.values(problems)[0]), { reason: 'invalid', fields: problems })
  if (isNew) {
    const blank = Object.fromEntries(Object.keys(fields).map((key) => [key, '']))
    rows[resource]!.unshift({
      ...blank,
      ...body,
      id: String(Date.now()) + String(rows[resource]!.length),
      version: 1,
      createTime: ago(0),
      updateTime: ago(0),
    })
  } else {
    const row = rows[resource]!.find((one) => one.id === body.id)!
    if (body.version !== undefined && body.version !== row.version)
      throw new Refusal(409, '数据已被他人修改,请核对后再保存', {
        reason: 'changed_meanwhile',
        row: present(row, lang),
      })
    Object.assign(row, body, { version: row.version + 1, updateTime: ago(0) })
  }
  emitLive(`${resource}.changed`, { ids: [body.id] })
}

function answerRequest(path: string, ask: FakeRequest): unknown {
  const { query } = ask
  if (path.startsWith('/api/fake/sample/')) return answerResourceCall('sample', path, ask)
  if (path.startsWith('/api/fake/tree/')) return answerResourceCall('sampleTree', path, ask)
  if (path.startsWith('/api/fake/')) return happen(path.split('/').pop()!, query)
  if (path === '/api/kit/dictionary') return dictionariesOf(ask)
  if (path.startsWith('/api/kit/views/')) return { views: [], roles: [] }
  if (path === '/api/kit/placed-views') return []
  if (path.startsWith('/api/kit/settings/')) {
    if ('value' in ask.body) settings[path] = ask.body.value
    return { value: settings[path] ?? {} }
  }
  if (path.startsWith('/api/kit/options/')) return options(path.split('/').pop()!, query)
  if (path === '/api/blade-system/region/lazy-tree') return regions[query.parentCode!] ?? []
  if (path === '/api/blade-resource/oss/endpoint/put-file')
    return {
      link: `/fake/picture.svg?text=新&hue=${Math.round(Math.random() * 360)}`,
      name: 'new.png',
      originalName: 'new.png',
    }
  throw new Refusal(404, '没有找到请求的地址')
}

function answerResourceCall(resource: string, path: string, ask: FakeRequest): unknown {
  const { query, lang } = ask
  const verb = path.split('/').pop()!
  if (verb === 'list') return list(resource, ask)
  const row = rows[resource]!.find((one) => one.id === query.id)
  if (verb === 'detail') {
    if (!row) throw new Refusal(404, '样板门店不存在')
    return present(row, lang)
  }
  if (verb === 'submit') return submit(resource, ask)
  if (verb === 'export') return { ticket: '' }
  if (verb === 'remove') {
    const ids = query.ids!.split(',')
    rows[resource] = rows[resource]!.filter((one) => !ids.includes(one.id))
  }
  if (row && verb === 'close') Object.assign(row, { status: '3', version: row.version + 1 })
  if (row && verb === 'open') Object.assign(row, { status: '1', version: row.version + 1 })
  emitLive(`${resource}.changed`, { ids: [query.id] })
  return {}
}

const dictionariesOf = ({ query, lang }: FakeRequest) =>
  Object.fromEntries(
    query.codes!.split(',').map((code) => [
      code,
      (dictionaries[code] ?? []).map(({ key, colour, ...words }) => ({
        key,
        label: words[lang],
        ...(colour && { colour }),
      })),
    ]),
  )

function options(resource: string, query: FakeRequest['query']) {
  const source = rows[resource]
  if (!source)
    return users.filter((user) =>
      query.ids
        ? query.ids.split(',').includes(user.id)
        : !query.key || user.title.includes(query.key) || user.code.includes(query.key),
    )
  const found = source.map((row) => ({ id: row.id, title: row.title ?? row.name, parentId: row.parentId ?? '0' }))
  const below = (parentId: string): Row[] =>
    found
      .filter((row) => row.parentId === parentId)
      .map((row) => ({ ...row, ...(below(row.id).length && { children: below(row.id) }) }))
  return query.tree ? below('0') : found.slice(0, 20)
}

/**
 * Simulates events a test asks for: a failing or empty server (`mood`), a new row, or a row changed by another user.
 */
function happen(what: string, query: FakeRequest['query']): unknown {
  if (what === 'mood') mood = query.is ?? ''
  if (what === 'arrive') {
    const row = shop(shops.length + rows.sample!.length)
    rows.sample!.unshift({ ...row, id: String(Date.now()), createTime: ago(0), name: '刚开的新店' })
    emitLive('sample.changed', { ids: [] })
  }
  if (what === 'meddle') {
    const row = rows.sample!.find((one) => one.id === query.id)!
    Object.assign(row, { name: `${row.name}(改)`, phone: '13900000000', version: row.version + 1, updateTime: ago(0) })
  }
  return {}
}

async function bodyOf(request: IncomingMessage): Promise<Row> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Row
  } catch {
    return {}
  }
}

async function serve(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url!, 'http://gallery')
  const lang = (request.headers['accept-language'] ?? '').startsWith('en') ? 'en' : 'zh'
  if (url.pathname === '/api/live') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': here\n\n')
    listeners.add(response)
    request.on('close', () => listeners.delete(response))
    return
  }
  const body = await bodyOf(request)
  const send = (status: number, content: Row) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(content))
  }
  try {
    send(200, {
      code: 200,
      success: true,
      data: answerRequest(url.pathname, { query: Object.fromEntries(url.searchParams), body, lang }) ?? {},
      msg: '操作成功',
    })
  } catch (reason) {
    if (!(reason instanceof Refusal)) throw reason
    send(reason.status, { code: reason.status, success: false, data: reason.data, msg: reason.msg })
  }
}

function draw(url: URL) {
  const hue = Number(url.searchParams.get('hue')) % 360
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" ' +
    `fill="hsl(${hue} 55% 62%)"/><text x="200" y="250" font-size="150" fill="#fff" text-anchor="middle" ` +
    `font-family="sans-serif">${(url.searchParams.get('text') ?? '').replace(/[<&]/g, '')}</text></svg>`
  )
}

type Next = (error?: unknown) => void

function play(request: IncomingMessage, response: ServerResponse, next: Next) {
  const url = new URL(request.url!, 'http://gallery')
  if (url.pathname.startsWith('/api/')) return void serve(request, response).catch(next)
  if (url.pathname !== '/fake/picture.svg') return next()
  response.setHeader('content-type', 'image/svg+xml')
  response.end(draw(url))
}

/** Plugin that answers the API of the generated pages from memory; for the gallery only, in development and preview. */
export function fakeServer(): Plugin {
  return {
    name: 'gallery-server',
    configureServer: ({ middlewares }) => void middlewares.use(play),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(play),
  }
}
