import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve } from '#kit/server/module/module.ts'
import { maskProviderSecrets, prepareProviderDraft } from '#domains/platform/files/api.ts'
import { printerVendorCallbackUrl } from './accounts.ts'
import { printAccount } from './print-account.resource.ts'
import './refusals.ts'

export const printAccountServer = serve(printAccount, {
  beforeSave: (draft, was, call) => {
    prepareProviderDraft(printAccount, draft, was, call)
    // A token belongs to the user, secret and endpoint it was issued for.
    const isOther = (key: 'user' | 'endpoint' | 'secretKey') => draft[key] !== undefined && draft[key] !== was?.[key]
    if (isOther('user') || isOther('endpoint') || isOther('secretKey')) draft.accessToken = null
  },
  beforeRemove: async (rows, { db }) => {
    for (const { brand } of rows) {
      const found = await db.one<{ n: number }>(
        sql`select count(*)::int as n from printer_info where tenant_id = ${db.tenantId} and brand = ${brand}
          and is_deleted = 0`,
      )
      if (found!.n) throw new Refused('printers_at_account', { count: found!.n })
    }
  },
  present: (wire, rows, { services }) => {
    maskProviderSecrets(wire)
    rows.forEach((row, at) => (wire[at]!.callbackUrl = printerVendorCallbackUrl(services, row)))
  },
})
