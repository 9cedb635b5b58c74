import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { findPlatformAccount } from '#domains/sales/delivery-platforms/api.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { createMeituanApiForAccount } from './connection.ts'
import { meituanTagList } from './meituan-catalogue.resource.ts'

const refreshMeituanCategoriesQueue = defineQueue('meituan.catalogue')
const NEEDED = 1

/** Enqueues reading the platform's categories, and the attributes of those in use. */
export const enqueueMeituanCategoriesRefresh = (db: Db): Promise<void> =>
  db.enqueue(refreshMeituanCategoriesQueue, {}, { key: 'catalogue' })

type Tag = { id: string; name: string; level: number; parent: string; path: string }

export const refreshMeituanCategoriesJob = defineModuleJob({
  queue: refreshMeituanCategoriesQueue,
  run: async (_payload, { tenantId, services, signal }) => {
    const { account, used } = await services.unit({ tenantId }, async (db) => ({
      account: await findPlatformAccount(db, services, 'meituan'),
      used: await db.query<{ tagId: string }>(sql`select distinct tag_id from meituan_sku_info
        where tenant_id = ${db.tenantId} and is_deleted = 0 and tag_id is not null order by tag_id limit 500`),
    }))
    if (!account) return
    const calls = createMeituanApiForAccount(services, account)
    const tags = ((await calls.categories()).data as Record<string, any>[]).map(tagOf)
    await services.unit({ tenantId }, (db) => keepTags(db, tags))
    for (const { tagId } of used) {
      if (signal.aborted) return
      const { generalAttrs = [] } = (await calls.attributes(tagId)).data as Record<string, Record<string, any>[]>
      await services.unit({ tenantId }, (db) => keepAttributes(db, tagId, generalAttrs))
    }
  },
})

const tagOf = (one: Record<string, any>): Tag => ({
  id: String(one.id),
  name: String(one.name).slice(0, 100),
  level: Number(one.level ?? 1),
  parent: String(one.parent_id ?? ''),
  path: String(one.namePath ?? one.name_path ?? one.name).slice(0, 300),
})

async function keepTags(db: Db, tags: readonly Tag[]): Promise<void> {
  const rows = JSON.stringify(tags.map((tag) => ({ ...tag, row: newId() })))
  const kept = await db.query<{ id: string }>(sql`
    insert into meituan_tag_list as t (id, tenant_id, tag_id, name, level, parent_tag_id, name_path)
    select n.row, ${db.tenantId}, n.id, n.name, n.level, n.parent, n.path
    from jsonb_to_recordset(${rows}::jsonb) as n("row" bigint, id text, name text, level int, parent text, path text)
    where not exists (select 1 from meituan_tag_list o where o.tenant_id = ${db.tenantId} and o.tag_id = n.id
      and o.is_deleted = 0) returning id`)
  await db.run(sql`update meituan_tag_list t set name = n.name, level = n.level, parent_tag_id = n.parent,
      name_path = n.path, update_time = now()
    from jsonb_to_recordset(${rows}::jsonb) as n(id text, name text, level int, parent text, path text)
    where t.tenant_id = ${db.tenantId} and t.tag_id = n.id and t.is_deleted = 0
      and (t.name, t.level, t.parent_tag_id, t.name_path) is distinct from (n.name, n.level, n.parent, n.path)`)
  publishRowsChanged({ db }, meituanTagList, kept)
}

async function keepAttributes(db: Db, tagId: string, given: readonly Record<string, any>[]): Promise<void> {
  const rows = JSON.stringify(
    given.map((one) => ({
      row: newId(),
      id: String(one.attrId),
      name: String(one.attrName).slice(0, 100),
      kind: Number(one.attrValueType ?? 1),
      needed: Number(one.need) === NEEDED,
      length: one.textMaxLength === undefined ? null : Number(one.textMaxLength),
      place: Number(one.sequence ?? 0),
      choices: one.valueList ?? [],
    })),
  )
  const shape = sql`jsonb_to_recordset(${rows}::jsonb) as n("row" bigint, id text, name text, kind int, needed boolean,
    "length" int, place int, choices jsonb)`
  await db.run(sql`
    insert into meituan_general_attrs (id, tenant_id, tag_id, attr_id, attr_name, attr_value_type, is_needed,
      text_max_length, sequence, value_list)
    select n.row, ${db.tenantId}, ${tagId}, n.id, n.name, n.kind, n.needed, n."length", n.place, n.choices from ${shape}
    where not exists (select 1 from meituan_general_attrs o where o.tenant_id = ${db.tenantId} and o.tag_id = ${tagId}
      and o.attr_id = n.id and o.is_deleted = 0)`)
  await db.run(sql`update meituan_general_attrs t set attr_name = n.name, attr_value_type = n.kind,
      is_needed = n.needed, text_max_length = n."length", sequence = n.place, value_list = n.choices,
      update_time = now()
    from ${shape} where t.tenant_id = ${db.tenantId} and t.tag_id = ${tagId} and t.attr_id = n.id
      and t.is_deleted = 0`)
}
