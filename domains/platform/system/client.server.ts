import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { SECRET_MASK } from '#kit/server/base/mask.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve } from '#kit/server/module/module.ts'
import { deterministicId } from '#kit/server/database/snowflake.ts'
import sql from 'sql-template-tag'
import { client } from './client.resource.ts'

export const clientServer = serve(client, {
  beforeSave: (draft, was) => {
    if (was && draft.clientSecret === SECRET_MASK) delete draft.clientSecret
  },
  // The rights of sessions are reloaded when a client's secret or grant types changed.
  afterSave: (_row, _was, { db, services }) => publishPermissionsChanged(services, db, {}),
  beforeRemove: (rows, call) => {
    if (rows.some((row) => row.clientId === call.caller.clientId)) throw new Refused('client_self')
    publishPermissionsChanged(call.services, call.db, {})
  },
  present: (wire, _rows, call) => {
    if (!call.caller.isPlatform) for (const row of wire) row.clientSecret = SECRET_MASK
  },
})

const BROWSER_GRANTS = ['captcha', 'refresh_token', 'social', 'authorization_code']

/**
 * Seeds the OAuth clients of the browsers, and with demo data one for scripts, which may sign in by password without a
 * captcha.
 */
export async function seedClients(db: Db, story: 'demo' | 'empty'): Promise<void> {
  const rows = [
    ...['saber', 'sword', 'saber3'].map((clientId) => ({ clientId, grants: BROWSER_GRANTS })),
    ...(story === 'demo' ? [{ clientId: 'script', grants: ['password', 'refresh_token'] }] : []),
  ]
  for (const { clientId, grants } of rows) {
    await db.run(sql`
      insert into sys_client (id, client_id, client_secret, authorized_grant_types, scope, access_token_validity,
      refresh_token_validity)
      values (${deterministicId(`client:${clientId}`)}, ${clientId}, ${`${clientId}_secret`}, ${grants}, 'all', 3600,
        604800)
      on conflict do nothing`)
  }
}
