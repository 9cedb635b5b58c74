import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { wireTimeMinutesAgo } from './answers.ts'

type Row = Record<string, unknown> & { id: string }

const COUNT = 43

function sampleRow(resource: Resource, n: number): Row {
  const row: Row = {
    id: String(1000 + n),
    createTime: wireTimeMinutesAgo(n * 47),
    updateTime: wireTimeMinutesAgo(n * 31),
    version: 1,
  }
  for (const [key, field] of Object.entries(resource.fields)) {
    if (field.secret) continue
    const kind = fieldKindOf(field)
    row[key] = ['rows', 'regions'].includes(kind.choices ?? '')
      ? ''
      : kind.wire(parsed(kind.sample(field, n), kind, field), field)
  }
  return row
}

function parsed(wire: unknown, kind: ReturnType<typeof fieldKindOf>, field: Parameters<typeof fieldKindOf>[0]) {
  const result = kind.parse(wire, field)
  return 'value' in result ? result.value : null
}

/** In-memory resource of the mock server that answers the standard list, detail, submit and remove calls. */
export class MockResource {
  readonly path: string
  private rows: Row[]
  private next = 5000
  constructor(readonlyPath: string, resource?: Resource) {
    this.path = readonlyPath
    this.rows = resource ? Array.from({ length: COUNT }, (_, n) => sampleRow(resource, n)) : []
  }

  list(query: URLSearchParams) {
    const current = Number(query.get('current') ?? 1)
    const size = Number(query.get('size') ?? 10)
    const rows = this.rows.filter((row) => matches(row, query))
    return {
      records: rows.slice((current - 1) * size, current * size),
      total: rows.length,
      size,
      current,
      pages: Math.ceil(rows.length / size),
    }
  }

  detail(id: string) {
    return this.rows.find((row) => row.id === id) ?? {}
  }

  submit(body: Record<string, unknown>) {
    const existing = this.rows.find((row) => row.id === body.id)
    if (existing) Object.assign(existing, body, { updateTime: wireTimeMinutesAgo(0) })
    else
      this.rows.unshift({
        ...body,
        id: String((this.next += 1)),
        createTime: wireTimeMinutesAgo(0),
        updateTime: wireTimeMinutesAgo(0),
      })
  }

  remove(ids: string) {
    const gone = new Set(ids.split(','))
    this.rows = this.rows.filter((row) => !gone.has(row.id))
  }
}

function matches(row: Row, query: URLSearchParams) {
  for (const [key, wanted] of query) {
    const [field, operator] = key.split('_') as [string, string | undefined]
    if (!(field in row) || wanted === '') continue
    const value = String(row[field])
    const fits = operator?.startsWith('dateg')
      ? value >= wanted
      : operator?.startsWith('datel')
        ? value <= wanted
        : operator === 'equal'
          ? value === wanted
          : value.includes(wanted)
    if (!fits) return false
  }
  return true
}
