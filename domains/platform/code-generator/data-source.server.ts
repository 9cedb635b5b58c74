import { isEmpty } from '#kit/fields/field-kind.ts'
import { f } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { routesOf } from '#kit/server/request/mount.ts'
import { actorOf } from '#kit/server/request/pipeline.ts'
import { submitOf } from '#kit/server/resource/submit-of.ts'
import { route, serve, type Call } from '#kit/server/module.ts'
import { masked } from '#kit/server/security/index.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { secretsOf } from '#domains/platform/files/api.ts'
import { dataSource } from './data-source.resource.ts'
import { MYSQL, TESTED } from './dictionaries.ts'
import { placeOf } from './jdbc.ts'
import { openTo, requireHost, requirePort } from './place.ts'
import { readSource, sourceFor, sourceOfTenant, type SourceRow } from './read-source.ts'
import { tablesOf } from './tables.client.ts'

/** What a password was typed for; elsewhere, or under another account, it would be told to somebody else. */
const BOUND = ['driverClass', 'host', 'port', 'databaseName', 'username', 'useTls'] as const

export const dataSourceServer = serve(dataSource, {
  without: ['submit'],
  // A tenant sees the one it was given, and no other's place or account.
  where: ({ caller }) =>
    caller.isPlatform
      ? sql``
      : sql` and r.id in (select t.datasource_id from tenant t where t.tenant_id = ${caller.tenantId}
          and t.is_deleted = 0)`,
  beforeSave: (draft, was, { services }) => {
    const open = openTo(services)
    if (draft.host) requireHost(draft.host, open)
    if (draft.port) requirePort(draft.port, open)
    const isKept = draft.password === undefined || draft.password === null || draft.password === masked
    const isElsewhere = was && BOUND.some((key) => draft[key] !== undefined && draft[key] !== was[key])
    if (isElsewhere && was.password && isKept) throw new Refused('source_password', {}, { field: 'password' })
    if (isElsewhere) Object.assign(draft, { testState: null, testTime: null, testNote: null })
    if (isKept && was) delete draft.password
    else if (draft.password) draft.password = secretsOf(services).seal(draft.password)
  },
  present: (wire, rows) => {
    wire.forEach((row, at) => {
      row.password = masked
      row.url = addressOf(rows[at]!)
    })
  },
})

type Where = Pick<SourceRow, 'driverClass' | 'host' | 'port' | 'databaseName'>

function addressOf({ driverClass, host, port, databaseName }: Where): string {
  const kind = driverClass === MYSQL ? 'mysql' : 'postgresql'
  return `jdbc:${kind}://${host.includes(':') ? `[${host}]` : host}:${port}/${databaseName}`
}

/**
 * Older clients know a data source by its address alone, and send the other fields back as they came: an address that
 * is not the one shown says where it is now.
 */
async function submit(call: Call): Promise<unknown> {
  const { body } = call
  const { url, id, host } = (body ?? {}) as Record<string, unknown>
  if (typeof url !== 'string' || !url.trim()) return submitOf(dataSourceServer, call)
  const was = isEmpty(id) ? undefined : await call.db.get(dataSource, String(id)).catch(() => undefined)
  const isAsShown = was ? url === addressOf(was) : !isEmpty(host)
  if (isAsShown) return submitOf(dataSourceServer, call)
  const place = placeOf(url)
  if (!place) throw new Refused('source_address', {}, { field: 'url' })
  return submitOf(dataSourceServer, { ...call, body: { ...(body as object), ...place } })
}

async function noteTest(call: Call, { id }: SourceRow, testState: string, testNote: string): Promise<void> {
  const { services, caller } = call
  await services.unit(
    { crossTenantReason: 'data sources are the platform’s, and say when they were tested last' },
    (db) => db.update(dataSource, id, { testState, testNote, testTime: shanghaiText(services.now()) }),
    actorOf(caller),
  )
}

/** Connects, looks and leaves; what came of it stands in the row afterwards, whichever it was. */
async function test(call: Call<{ id: string }>) {
  const row = await sourceFor(call, call.input.id)
  const begun = performance.now()
  try {
    const tables = await readSource(call.services, row, (ask) => tablesOf(ask, row))
    const millis = Math.round(performance.now() - begun)
    await noteTest(call, row, TESTED.well, `${tables.length} / ${millis} ms`)
    return { tables: tables.length, millis }
  } catch (error) {
    if (error instanceof Refused && error.code !== 'source_busy') await noteTest(call, row, TESTED.badly, error.code)
    throw error
  }
}

const base = dataSource.path
export const dataSourceRoutes = [
  { ...routesOf(serve(dataSource)).find(({ path }) => path.endsWith('/submit'))!, handle: submit },
  route({
    method: 'POST',
    path: `${base}/test`,
    title: { zh: '测试数据源', en: 'Test data source' },
    can: 'datasource_test',
    tx: false,
    perMinute: 60,
    input: { id: f.ref(dataSource.name, { label: dataSource.label, required: true }) },
    handle: test,
  }),
  route({
    method: 'GET',
    path: `${base}/select`,
    title: { zh: '数据源选项', en: 'Data source options' },
    can: ['datasource', 'model', 'code'],
    handle: async ({ db, caller }) => {
      const own = caller.isPlatform ? undefined : await sourceOfTenant(db)
      const rows = await db.query<{ id: string; name: string }>(
        sql`select id::text as id, name from data_source where is_deleted = 0 order by name limit 500`,
      )
      return caller.isPlatform ? rows : rows.filter(({ id }) => id === own)
    },
  }),
]
