import type { Page } from 'playwright-core'
import { toStoredRecords } from '#kit/web/base/storage.ts'
import type { Visit } from '../journeys/browser.ts'
import { misfits, smallTargets, wrongLanguage } from './screen-checks.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 375, height: 812 }
/** Pages kept alive in one window before it is reopened. */
const AT_ONCE = 5
/** `PICTURES=dir` saves screenshots, `ONLY=/goods,/order` limits the pages, `THEME=dark` sets the theme. */
const { PICTURES, ONLY, THEME } = process.env

/** Pages everybody has, which may not be in the menu. */
const FIXED = ['/wel/index', '/info/index', '/logs/index']

/** Returns the addresses of all pages in the signed-in user's menu. */
export const menuPages = async (page: Page) => {
  const paths = await page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll<HTMLAnchorElement>('.side a[href^="/"]')].map((link) => link.getAttribute('href')!),
    ),
  ])
  return [...new Set([...FIXED, ...paths])].filter(
    (path) => !ONLY || ONLY.split(',').some((part) => path.includes(part)),
  )
}

/** Milliseconds without change after opening a page or resizing, which loads nothing new. */
const CALM_MS = { opened: 250, resized: 80 }

/** Waits until nothing is loading or moving for that long. */
export const waitUntilCalm = (page: Page, calmMs: number) =>
  page.waitForFunction(
    (wanted) => {
      const isStill = stillNow()
      const kept = globalThis as { stillSince?: number }
      kept.stillSince = isStill ? (kept.stillSince ?? performance.now()) : undefined
      return isStill && performance.now() - kept.stillSince! > wanted
      function stillNow() {
        const here = [...document.querySelectorAll<HTMLElement>('.page-scroll:not([data-left])')].find((one) =>
          one.checkVisibility(),
        )
        const isWaiting =
          here?.querySelector('.kit-skeleton, .ant-skeleton, .page-skeleton, .ant-spin-spinning') ??
          document.querySelector(
            '.ant-drawer-open .ant-skeleton, .ant-drawer-open .kit-skeleton, .ant-modal .kit-skeleton',
          )
        return (
          !!here?.querySelector('h1, h2, iframe, .plain-page') &&
          !isWaiting &&
          !document
            .getAnimations()
            .some((one) => one.playState === 'running' && Number(one.effect?.getComputedTiming().endTime) < 5000)
        )
      }
    },
    calmMs,
    { timeout: 20_000, polling: 40 },
  )

/** Marks the page on screen as left, so that it is not checked while the next one loads. */
const leave = (page: Page, isLeft = true) =>
  page.evaluate((left) => {
    for (const one of document.querySelectorAll<HTMLElement>('.page-scroll'))
      one.toggleAttribute('data-left', left && one.checkVisibility())
  }, isLeft)

const visible = (page: Page, selector: string) => page.locator(`${selector} >> visible=true`).first()

/** A walk through the pages: where, as whom, in which language, and the faults found. */
type Walk = { url: string; visit: Visit; lang: 'zh' | 'en'; who: string; isBrief?: boolean; faults: Set<string> }

/** Checks the screen at one size. */
async function checkScreen(
  { visit: { page, complaints }, lang, who, faults }: Walk,
  path: string,
  part: string,
  size: { width: number; height: number },
) {
  const isResized = page.viewportSize()?.width !== size.width
  if (isResized) await page.setViewportSize(size)
  await page.evaluate(() => delete (globalThis as { stillSince?: number }).stillSince)
  await waitUntilCalm(page, isResized && !part ? CALM_MS.resized : CALM_MS.opened).catch(() =>
    faults.add(`${path} ${part} ${size.width}: never settles`),
  )
  const place = `${path}${part && ` ${part}`} ${size.width}`
  for (const words of await misfits(page)) faults.add(`${place}: ${words}`)
  for (const words of await wrongLanguage(page, lang))
    faults.add(`${path}${part && ` ${part}`}: not in ${lang}: ${words}`)
  if (size === PHONE) for (const words of await smallTargets(page)) faults.add(`${place}: ${words}`)
  for (const words of complaints.splice(0)) faults.add(`${place}: ${words}`)
  if (PICTURES)
    await page.screenshot({
      path: `${PICTURES}/${who}-${lang}-${size.width}${path.replaceAll('/', '_')}${part && `-${part}`}.jpg`,
      quality: 70,
    })
}

/** Closes drawers and dialogs, discarding typed text. */
async function closeLayer(page: Page) {
  const layers = () =>
    page
      .locator('.ant-drawer-open >> visible=true')
      .count()
      .then(async (drawers) => drawers + (await page.locator('.ant-modal-wrap >> visible=true').count()))
  for (let tries = 0; tries < 4 && (await layers()); tries++) {
    const discard = visible(page, '.ant-modal-confirm .ant-btn-dangerous, .ant-modal .ant-btn-dangerous')
    if (tries && (await discard.count())) await discard.click()
    else await page.keyboard.press('Escape')
    await page.waitForTimeout(120)
  }
}

async function walkPage(walk: Walk, path: string, isFresh: boolean) {
  const { page } = walk.visit

  const go = async (to: string) => {
    await leave(page)
    await page.evaluate((address) => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, to)
  }

  await page.setViewportSize(WIDE)
  if (isFresh) await page.goto(walk.url + path)
  else await go(path)
  await checkScreen(walk, path, '', WIDE)
  if (walk.isBrief) return checkScreen(walk, path, '', PHONE)
  const row = visible(page, '.ant-table-tbody .kit-row-opens')
  if (await row.count()) {
    await leave(page)
    await row
      .locator('td:not(.ant-table-selection-column)')
      .first()
      .click({ position: { x: 4, y: 4 } })
    await page
      .waitForFunction((from) => document.querySelector('.ant-drawer-open') || location.pathname !== from, path, {
        timeout: 3000,
      })
      .catch(() => {})
    const isPage = new URL(page.url()).pathname !== path
    const isDrawer = !isPage && (await page.locator('.ant-drawer-open').count()) > 0
    if (!isPage) await leave(page, false)
    if (isDrawer || isPage) {
      await checkScreen(walk, path, 'detail', WIDE)
      await checkScreen(walk, path, 'detail', PHONE)
    }
    if (isDrawer) await closeLayer(page)
    else if (isPage) await go(path)
  }

  await checkScreen(walk, path, '', PHONE)
  const add = visible(page, `.kit-toolbar .ant-btn-primary:has-text("${walk.lang === 'zh' ? '新增' : 'Add'}")`)
  if (await add.count()) {
    await add.click()
    if (
      await page.waitForSelector('.ant-drawer-open, .ant-modal-wrap', { timeout: 3000 }).then(
        () => true,
        () => false,
      )
    ) {
      await checkScreen(walk, path, 'form', PHONE)
      await checkScreen(walk, path, 'form', WIDE)
      if (!(await page.locator('.ant-drawer-open, .ant-modal-wrap').count()) && new URL(page.url()).pathname === path)
        walk.faults.add(`${path} form: lost when the screen is turned`)
      await closeLayer(page)
    }
  }
}

/** Opens every page of the user's menu, which must have at least `least`. Returns the faults. */
export async function walkAll(walk: Walk, least: number): Promise<string> {
  const { page } = walk.visit
  const paths = await menuPages(page)
  if (!ONLY && paths.length < least) walk.faults.add(`only ${paths.length} pages in the menu`)
  await page.evaluate(
    (records) => {
      for (const { name, value } of records) localStorage.setItem(name, value)
    },
    toStoredRecords({ language: walk.lang, ...(THEME && { theme: `theme-${THEME}` }) }),
  )
  for (const [n, path] of paths.entries()) {
    await walkPage(walk, path, n % AT_ONCE === 0).catch((reason: Error) =>
      walk.faults.add(`${path}: ${reason.message.split('\n')[0]}`),
    )
  }
  await walk.visit.close()
  return [...walk.faults].join('\n')
}
