import { firstAdminPasswordSlot } from '#domains/platform/identity/api.ts'
import { demoSignIns } from './demo/cast.ts'
import type { LocalizedText } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/module/services.ts'

type SignIn = { tenantId: string; account: string; password: string; who: LocalizedText }

/**
 * Returns the lines printed at the end of a start: the address and, as far as they may be shown, the accounts to sign
 * in with.
 */
export async function startupMessageLines(
  services: Services,
  story: 'demo' | 'empty',
  publicUrl: string,
  address: string,
): Promise<string[]> {
  const shown = publicUrl.includes(':0') ? address : publicUrl
  const lines = ['', `Ready: ${shown}`, `API:   ${shown}/api/docs`]
  const first = services.slots.find(firstAdminPasswordSlot)
  if (story === 'demo') {
    const cast: readonly SignIn[] = demoSignIns
    lines.push(
      '',
      'Sign-ins (tenant / account / password):',
      ...cast.map((one) => `  ${one.tenantId} / ${one.account} / ${one.password}   ${one.who.zh} ${one.who.en}`),
    )
  } else if (first) {
    lines.push('', 'First sign-in, shown this once (tenant / account / password):', `  000000 / admin / ${first}`)
  }
  return [...lines, '']
}
