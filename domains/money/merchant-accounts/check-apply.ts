import { invalidInputRefusal } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { readStoredFile, findTenantFileByLink, secretCipherOf } from '#domains/platform/files/api.ts'
import { SEALED_APPLY_FIELD_KEYS } from './apply-fields.ts'
import { applyPicturesOf, type PayApplyRow } from './apply-form.ts'
import { applyFaults, missingApplyFields, applyStepOfField, type ApplyFault } from './apply-faults.ts'
import { findPictureFault } from './picture-sharpness.ts'
import { payApply } from './pay-apply.resource.ts'

/** Returns a fault for each field with an unreadable picture. Missing files are skipped here; sending reports them. */
async function pictureFaults(services: Services, row: PayApplyRow): Promise<ApplyFault[]> {
  const found: ApplyFault[] = []
  for (const { field, link } of applyPicturesOf(row)) {
    if (found.some((one) => one.field === field)) continue
    const file = await findTenantFileByLink(services, row.tenantId, link)
    const bytes = file && (await readStoredFile(services, file))
    const words = bytes && findPictureFault(bytes)
    if (words) found.push({ field, words })
  }
  return found
}

/** Returns the missing fields and faults of an application, including its encrypted numbers and its pictures. */
export async function checkApply(
  services: Services,
  row: PayApplyRow,
): Promise<{ missing: ReturnType<typeof missingApplyFields>; faults: ApplyFault[] }> {
  const open = (sealed: string | null) => sealed && secretCipherOf(services).open(sealed)
  const values = { ...row, ...Object.fromEntries(SEALED_APPLY_FIELD_KEYS.map((key) => [key, open(row[key])])) }
  const written = applyFaults(values, formatShanghaiTime(services.now()).slice(0, 10))
  const seen = await pictureFaults(services, row)
  const faults = [...written, ...seen.filter(({ field }) => !written.some((one) => one.field === field))]
  return {
    missing: missingApplyFields(values),
    faults: faults.toSorted((a, b) => applyStepOfField(a.field) - applyStepOfField(b.field)),
  }
}

/** Refuses an application WeChat Pay would reject, with a message at each field. */
export async function requireFaultlessApply(services: Services, row: PayApplyRow): Promise<void> {
  const { missing, faults } = await checkApply(services, row)
  const lacking = missing.map((key) => [key, { problem: { code: 'required' }, field: payApply.fields[key] }])
  const wrong = faults.map(({ field, words }) => [
    field,
    { problem: { code: 'bad_format' }, field: { ...payApply.fields[field], patternWords: words } },
  ])
  if (lacking.length || wrong.length)
    throw invalidInputRefusal(Object.fromEntries([...wrong, ...lacking]) as Parameters<typeof invalidInputRefusal>[0])
}
