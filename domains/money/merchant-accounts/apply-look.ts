import { invalid } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { bytesOf, fileOfLink, secretsOf } from '#domains/platform/files/api.ts'
import { SEALED_KEYS } from './apply-fields.ts'
import { picturesOf, type Apply } from './apply-form.ts'
import { applyFaults, missingOf, stepOf, type ApplyFault } from './apply-faults.ts'
import { pictureFault } from './picture-sharpness.ts'
import { payApply } from './pay-apply.resource.ts'

/** Pictures nobody could read, each at its field; one that is not there any more is for whoever sends it to say. */
async function pictureFaults(services: Services, row: Apply): Promise<ApplyFault[]> {
  const found: ApplyFault[] = []
  for (const { field, link } of picturesOf(row)) {
    if (found.some((one) => one.field === field)) continue
    const file = await fileOfLink(services, row.tenantId, link)
    const bytes = file && (await bytesOf(services, file))
    const words = bytes && pictureFault(bytes)
    if (words) found.push({ field, words })
  }
  return found
}

/** What an application lacks and what is wrong in it, its sealed numbers and its pictures included. */
export async function lookAt(
  services: Services,
  row: Apply,
): Promise<{ missing: ReturnType<typeof missingOf>; faults: ApplyFault[] }> {
  const open = (sealed: string | null) => sealed && secretsOf(services).open(sealed)
  const values = { ...row, ...Object.fromEntries(SEALED_KEYS.map((key) => [key, open(row[key])])) }
  const written = applyFaults(values, shanghaiText(services.now()).slice(0, 10))
  const seen = await pictureFaults(services, row)
  const faults = [...written, ...seen.filter(({ field }) => !written.some((one) => one.field === field))]
  return { missing: missingOf(values), faults: faults.toSorted((a, b) => stepOf(a.field) - stepOf(b.field)) }
}

/** Refuses to hand in what the platform would send back, at the fields it is about. */
export async function requireFlawless(services: Services, row: Apply): Promise<void> {
  const { missing, faults } = await lookAt(services, row)
  const lacking = missing.map((key) => [key, { problem: { code: 'required' }, field: payApply.fields[key] }])
  const wrong = faults.map(({ field, words }) => [
    field,
    { problem: { code: 'bad_format' }, field: { ...payApply.fields[field], patternWords: words } },
  ])
  if (lacking.length || wrong.length)
    throw invalid(Object.fromEntries([...wrong, ...lacking]) as Parameters<typeof invalid>[0])
}
