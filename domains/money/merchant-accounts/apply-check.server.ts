import { f } from '#kit/resource/index.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { lockVisibleRow } from '#kit/server/resource/submit-of.ts'
import type { PayApplyRow } from './apply-form.ts'
import { checkApply } from './check-apply.ts'
import { payApply } from './pay-apply.resource.ts'
import { payApplyServer } from './pay-apply.server.ts'

/**
 * Returns the missing and faulty fields of an application before it is submitted; also checks the encrypted numbers,
 * which the browser cannot read.
 */
export const applyCheckRoute = defineRoute({
  method: 'GET',
  path: `${payApply.path}/check`,
  title: { zh: '检查进件资料', en: 'Check onboarding application' },
  can: 'payApply',
  input: { id: f.ref(payApply.name, { label: payApply.label, required: true }) },
  handle: async (call: Call<{ id: string }>) => {
    let found: unknown
    await forEachTenantOfRows(call, payApply, [call.input.id], async ([id], db) => {
      const row = (await lockVisibleRow(payApplyServer, { ...call, db }, id!)) as PayApplyRow
      const { missing, faults } = await checkApply(call.services, row)
      found = { missing, faults: faults.map(({ field, words }) => ({ field, sentence: words[call.lang] })) }
    })
    return found
  },
})
