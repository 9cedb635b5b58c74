import { f } from '#kit/resource/index.ts'
import { presentRows, selectColumnsSql } from '#kit/server/resource/present.ts'
import { readBatch, sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { defineRoute, serve } from '#kit/server/module/module.ts'
import { post } from './post.resource.ts'

export const postServer = serve(post)

export const postOptionsRoute = defineRoute({
  method: 'GET',
  path: `${post.path}/select`,
  title: { zh: '岗位选择', en: 'Position options' },
  can: { signedIn: "names of the own tenant's posts, for pickers" },
  tx: false,
  input: { tenantId: f.text({ label: { zh: '租户编号', en: 'Tenant' }, max: 12 }) },
  handle: async (call) => {
    const tenantId = (call.caller.isPlatform && call.input.tenantId) || call.caller.tenantId
    await call.services.labels.ready(tenantId)
    const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`
      select ${selectColumnsSql(call.services.registry, post, 'list')} from post r where r.tenant_id = ${tenantId}
      and r.is_deleted = 0 order by r.sort, r.id limit 1000`,
    ])
    return presentRows(call, post, {}, rows!)
  },
})
