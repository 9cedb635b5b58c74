import { afterAll, beforeAll, expect, test } from 'vitest'
import { toStoredRecords } from '#kit/web/base/storage.ts'
import { openBrowserSession, type BrowserSession } from '../journeys/browser.ts'
import { seriousFaults } from '../journeys/serious-faults.ts'
import { menuPages, waitUntilCalm } from './walk.ts'

let office: BrowserSession
beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
}, 300_000)
afterAll(() => office?.close())

test.each(
  [
    { who: 'wu', tenantId: '100001' },
    { who: 'admin', tenantId: '000000' },
  ].flatMap((person) => ['', 'dark'].map((theme) => ({ ...person, theme }))),
)(
  'axe finds nothing serious on any menu page of $who $theme',
  async ({ who, tenantId, theme }) => {
    const { page, close } = await office.signIn(tenantId, who, { reducedMotion: 'reduce', at: '/wel/index' })
    await page.evaluate(
      (records) => {
        for (const { name, value } of records) localStorage.setItem(name, value)
      },
      toStoredRecords(theme ? { theme: `theme-${theme}` } : {}),
    )
    const faults: string[] = []
    for (const path of await menuPages(page)) {
      await page.goto(office.url + path)
      await waitUntilCalm(page, 100).catch(() => faults.push(`${path}: never settles`))
      faults.push(...(await seriousFaults(page, path, !!theme)))
    }
    await close()
    expect(faults).toEqual([])
  },
  1_800_000,
)
