import { f, type PatchOf, type RowOf } from '#kit/resource/index.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { MANAGEMENT_TENANT, hasPermission, type Caller } from '#kit/server/base/caller.ts'
import type { Db } from '#kit/server/database/db.ts'
import { parseEntity } from '#kit/server/request/parse-input.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidInputRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { lockAgainstRemoval } from '#kit/server/resource/references.ts'
import { handleSubmitCall, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { isEmptyInput, parseIdInput } from '#kit/fields/base/field-kind.ts'
import sql, { raw } from 'sql-template-tag'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import {
  createTenant,
  chooseTenantAdminPassword,
  TENANT_ADMIN_ACCOUNT,
  tenantRowIdOf,
  type NewTenant,
} from './tenant-create.ts'
import { tenant, tenantPackage } from './tenant.resource.ts'

const why = 'the platform looks after its tenants'

/** Normalises a domain to its origin: `https://Shop.Example.com/` becomes `https://shop.example.com`. */
const originOf = (domain: string) =>
  domain
    .trim()
    .toLowerCase()
    .replace(/(?<!\/)\/+$/, '')

async function normalizeDomain(draft: PatchOf<typeof tenant>, id: string, db: Db): Promise<void> {
  if (!draft.domain) return
  const domain = originOf(draft.domain)
  draft.domain = domain
  await db.acrossTenants(why, async (all) => {
    await all.run(sql`select pg_advisory_xact_lock(hashtextextended('tenant-domain', 0))`)
    if (await all.one(sql`select 1 from tenant where domain = ${domain} and id <> ${id} and is_deleted = 0`))
      throw new Refused('domain_taken', { domain })
  })
}

/** Tables whose rows appear in the platform's own lists and are removed with the tenant. */
const FURNITURE = ['sys_user', 'dept', 'sys_role', 'post']

export const tenantServer = serve(tenant, {
  without: ['submit'],
  beforeSave: async (draft, was, call) => {
    requirePlatformCaller(call)
    await normalizeDomain(draft, was?.id ?? '0', call.db)
  },
  beforeRemove: async (rows, call) => {
    requirePlatformCaller(call)
    if (rows.some((row) => row.tenantId === MANAGEMENT_TENANT)) throw new Refused('management_tenant_stays')
    for (const table of FURNITURE)
      await call.db.run(
        sql`update ${raw(`"${table}"`)} set is_deleted = 1, update_time = now() where tenant_id = ${call.db.tenantId}
          and is_deleted = 0`,
      )
    publishPermissionsChanged(call.services, call.db, { tenantIds: rows.map((row) => row.tenantId) })
  },
  actions: {
    setting: async (rows, input, call) => {
      requirePlatformCaller(call)
      // A missing argument leaves the value; an empty expiry means never (wire contract §8.1).
      const given = { ...(call.body as object | undefined), ...call.query } as Record<string, unknown>
      const patch: PatchOf<typeof tenant> = {}
      if (input.accountNumber !== null) patch.accountNumber = input.accountNumber
      if (given.expireTime !== undefined) patch.expireTime = input.expireTime
      for (const row of rows) {
        if (row.tenantId === MANAGEMENT_TENANT) throw new Refused('management_tenant_unlimited')
        await call.db.update(tenant, row.id, patch)
      }
      publishPermissionsChanged(call.services, call.db, { tenantIds: rows.map((row) => row.tenantId) })
    },
  },
})

/**
 * Publishes changed rights to all tenants with these packages, so that open pages stop receiving what is no longer
 * allowed.
 */
async function packagesChanged({ db, services }: Pick<Call, 'db' | 'services'>, ids: readonly string[]): Promise<void> {
  const tenants = await db.acrossTenants(why, (all) =>
    all.query<{ tenantId: string }>(sql`select tenant_id from tenant where package_id = any(${[...ids]}::bigint[])`),
  )
  publishPermissionsChanged(services, db, { tenantIds: tenants.map((one) => one.tenantId) })
}

export const tenantPackageServer = serve(tenantPackage, {
  afterSave: (row, _was, call) => packagesChanged(call, [row.id]),
  beforeRemove: (rows, call) =>
    packagesChanged(
      call,
      rows.map((row) => row.id),
    ),
})

/** Creates a complete tenant, or changes the row of an existing one. */
async function submitTenant(call: Call): Promise<unknown> {
  requirePlatformCaller(call)
  if (typeof call.body !== 'object' || call.body === null || Array.isArray(call.body)) throw new Refused('bad_body')
  const entity = call.body as Record<string, unknown>
  if (!isEmptyInput(entity.id) && String(entity.id) !== '-1') return handleSubmitCall(tenantServer, call)
  if (!hasPermission(call.caller, 'tenant_add')) throw new Refused('forbidden')
  const { draft, problems } = parseEntity(tenant.fields, entity, true)
  if (Object.keys(problems).length) throw invalidInputRefusal(problems)
  delete draft.accountNumber
  await normalizeDomain(draft, '0', call.db)
  const password = await chooseTenantAdminPassword(call.services)
  const row = await createTenant(call.db, call.services, draft as NewTenant, { password, mustChange: true })
  publishRowsChanged(call, tenant, [row])
  // Shown once, to its creator: the password must be changed at the first sign-in.
  return { id: row.id, tenantId: row.tenantId, account: TENANT_ADMIN_ACCOUNT, password }
}

/**
 * Returns a tenant by its row id or number, as screens send either (wire contract §24.13); only the caller's own unless
 * the caller is the platform. Refuses an unknown one.
 */
async function tenantBy(given: string | null, caller: Caller, db: Db): Promise<RowOf<typeof tenant>> {
  const text = String(given ?? '').slice(0, 20)
  const id = parseIdInput(text)
  const found = await db.acrossTenants(why, (all) =>
    all.find(
      tenant,
      sql`(r.tenant_id = ${text} or r.id = ${'value' in id ? id.value : '0'})${
        caller.isPlatform
          ? sql``
          : sql`
        and r.tenant_id = ${caller.tenantId}`
      }`,
      sql` order by (r.tenant_id = ${text}) desc limit 1`,
    ),
  )
  if (!found[0]) throw new Refused('not_found', { label: tenant.label })
  return found[0]
}

async function change(call: Call<{ tenantId: string | null }>, patch: PatchOf<typeof tenant>): Promise<void> {
  requirePlatformCaller(call)
  const row = await tenantBy(call.input.tenantId, call.caller, call.db)
  if (row.tenantId === MANAGEMENT_TENANT) throw new Refused('management_tenant_unlimited')
  await call.db.acrossTenants(why, (all) => all.asTenant(row.tenantId, (own) => own.update(tenant, row.id, patch)))
  publishRowsChanged(call, tenant, [row])
  publishPermissionsChanged(call.services, call.db, { tenantIds: [row.tenantId] })
}

/** Returns the tenants the caller may choose from: all for the platform, else the own. */
async function choices(call: Call, name?: string | null) {
  const pattern = name ? sql` and tenant_name ilike ${`%${name.replace(/[\\%_]/g, '\\$&')}%`}` : sql``
  const own = call.caller.isPlatform ? sql`` : sql` and tenant_id = ${call.caller.tenantId}`
  return call.db.acrossTenants(why, (all) =>
    all.query(
      sql`select id::text, tenant_id, tenant_name from tenant where is_deleted = 0${own}${pattern} order by tenant_id
        limit 1000`,
    ),
  )
}

/** Returns the number of accounts of tenants, shown beside their quota. */
async function accounts(call: Call<{ tenantIds: string }>) {
  requirePlatformCaller(call)
  const tenantIds = call.input.tenantIds.split(',')
  return call.db.acrossTenants(why, (all) =>
    all.query(
      sql`select tenant_id, count(*)::int as count from sys_user where tenant_id = any(${tenantIds})
        and is_deleted = 0 group by tenant_id`,
    ),
  )
}

const label = {
  tenantId: { zh: '租户编号', en: 'Tenant' },
  packageId: tenant.fields.packageId.label,
  datasourceId: tenant.fields.datasourceId.label,
}
const title = (zh: string, en: string) => ({ zh: `租户${zh}`, en: `Tenant: ${en}` })
const tenantId = f.text({ label: label.tenantId, required: true, max: 20 })
const base = tenant.path

export const tenantRoutes = [
  defineRoute({
    method: 'POST',
    path: `${base}/submit`,
    title: title('保存', 'save'),
    can: ['tenant_add', 'tenant_edit'],
    handle: submitTenant,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/select`,
    title: title('选项', 'choices'),
    can: { signedIn: "the caller's own tenant; all for the platform" },
    handle: (call) => choices(call),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/accounts`,
    title: title('账号数', 'accounts'),
    can: 'tenant_setting',
    input: { tenantIds: f.longText({ label: label.tenantId, required: true, max: 20_000 }) },
    handle: accounts,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/find-by-name`,
    title: title('按名称查找', 'search by name'),
    can: 'tenant',
    input: { name: f.text({ label: tenant.fields.tenantName.label, max: 50 }) },
    handle: (call) => choices(call, call.input.name),
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/datasource`,
    title: title('数据源配置', 'data source'),
    can: 'tenant_datasource',
    input: { tenantId, datasourceId: f.ref('', { label: label.datasourceId }) },
    handle: async (call) => {
      const { datasourceId } = call.input
      const source = call.services.registry.served.get('datasource')
      if (datasourceId && !(source && (await call.db.get(source.resource, datasourceId))))
        throw invalidInputRefusal({
          datasourceId: { problem: { code: 'not_found' }, field: tenant.fields.datasourceId },
        })
      await change(call, { datasourceId })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/package-setting`,
    title: title('产品包配置', 'set package'),
    can: 'tenant_package',
    input: { tenantId, packageId: f.ref('tenantPackage', { label: label.packageId }) },
    handle: async (call) => {
      const { packageId } = call.input
      if (packageId) await lockAgainstRemoval(call.db, tenantPackage, [packageId])
      if (packageId && !(await call.db.get(tenantPackage, packageId)))
        throw invalidInputRefusal({ packageId: { problem: { code: 'not_found' }, field: tenant.fields.packageId } })
      await change(call, { packageId })
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/package-detail`,
    title: title('产品包', 'get package'),
    can: 'tenant',
    input: { tenantId },
    handle: async (call) => {
      const row = await tenantBy(call.input.tenantId, call.caller, call.db)
      if (!row.packageId) return {}
      const found = await call.db.get(tenantPackage, row.packageId)
      return found
        ? {
            id: found.id,
            packageName: found.packageName,
            menuId: found.menuId.join(','),
            remark: found.remark ?? '',
          }
        : {}
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/info`,
    title: title('域名信息', 'by domain'),
    can: { open: 'the sign-in page asks whose domain it stands on' },
    perMinute: 300,
    input: { domain: f.text({ label: tenant.fields.domain.label, max: 255 }) },
    handle: async ({ db, input }) => {
      if (!input.domain) return {}
      const row = await db.acrossTenants('the sign-in page asks whose domain it stands on', (all) =>
        all.one<{ tenantId: string; domain: string; backgroundUrl: string }>(
          sql`select tenant_id, domain, coalesce(background_url, '') as background_url from tenant
            where domain = ${originOf(input.domain!)} and is_deleted = 0`,
        ),
      )
      return row ? { ...row, domainUrl: row.domain } : {}
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${tenantPackage.path}/select`,
    title: { zh: '租户产品包选项', en: 'Tenant package options' },
    can: ['tenantpackage', 'tenant_package'],
    handle: ({ db }) =>
      db.query(sql`select id::text, package_name from tenant_package where is_deleted = 0 order by id limit 1000`),
  }),
]

/** Seeds the management tenant. */
export async function seedManagementTenant(db: Db): Promise<void> {
  await db.run(
    sql`insert into tenant (id, tenant_id, tenant_name, linkman, account_number)
      values (${tenantRowIdOf(MANAGEMENT_TENANT)}, ${MANAGEMENT_TENANT}, '管理组', 'admin', -1) on conflict do nothing`,
  )
}
