import { sql } from '#kit/server/database/db.ts'
import { serve } from '#kit/server/module/module.ts'
import { topMenu } from './top-menu.resource.ts'

export const topMenuServer = serve(topMenu, {
  afterRemove: async (rows, { db }) => {
    await db.run(
      sql`delete from top_menu_setting where tenant_id = ${db.tenantId}
        and top_menu_id = any(${rows.map((row) => row.id)}::bigint[])`,
    )
  },
})
