import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser } from '#tests/support/fresh-browser.ts'

beforeEach(() => {
  freshBrowser()
  vi.resetModules()
})
afterEach(() => void vi.unstubAllEnvs())

const mockModeOfBuild = async () => {
  const { setStoredValue: setStored } = await import('../base/storage.ts')
  setStored('mock', true)
  return (await import('./mock-mode.ts')).isMockMode()
}

test(
  'a browser plays the server while developing and in a build made for it; in any other ' +
    'no address and no stored wish makes it',
  async () => {
    expect(await mockModeOfBuild()).toBe(true)
    vi.stubEnv('DEV', false)
    vi.resetModules()
    expect(await mockModeOfBuild()).toBe(false)
    vi.stubEnv('VITE_MOCK', '1')
    vi.resetModules()
    expect(await mockModeOfBuild()).toBe(true)
  },
)
