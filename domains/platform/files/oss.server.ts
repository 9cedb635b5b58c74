import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve } from '#kit/server/module/module.ts'
import { handleActionCall } from '#kit/server/resource/action-of.ts'
import sql from 'sql-template-tag'
import { oss } from './oss.resource.ts'
import { enableOnlyProviderRow, maskProviderSecrets, prepareProviderDraft } from './provider-row.ts'
import { testFileStoreAccount } from './stores.ts'

export const ossServer = serve(oss, {
  beforeSave: (draft, was, call) => prepareProviderDraft(oss, draft, was, call),
  present: (wire) => maskProviderSecrets(wire),
  beforeRemove: async (rows, { db }) => {
    for (const row of rows) {
      if (await db.one(sql`select 1 from stored_file where tenant_id = ${db.tenantId} and oss_id = ${row.id} limit 1`))
        throw new Refused('store_in_use', { name: row.ossCode })
    }
  },
  actions: {
    enable: (row, _input, call) => enableOnlyProviderRow(oss, row.id, call),
    disable: (row, _input, { db }) => db.update(oss, row.id, { status: 1 }).then(() => undefined),
    test: async (row, _input, { services }) => {
      await testFileStoreAccount(services, row)
      return { success: true }
    },
  },
})

/** Older clients enable a storage account by GET (wire contract §17.2). */
export const ossRoutes = [
  defineRoute({
    method: 'GET',
    path: `${oss.path}/enable`,
    comesTo: () => [`${oss.path}/enable`],
    title: { zh: '对象存储启用', en: 'Activate storage provider' },
    can: 'oss_enable',
    handle: (call) => handleActionCall(ossServer, 'enable', oss.actions.enable, call),
  }),
]
