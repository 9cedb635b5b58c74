import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Returns what axe finds serious or critical on screen, one line each. `colours` checks contrast only, for another
 * theme.
 */
export async function seriousFaults(page: Page, place: string, colours = false): Promise<string[]> {
  await page.evaluate(source)
  // Waits for transitions to end, whose intermediate colours do not count.
  await page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    for (let left = moving(); left.length; left = moving()) await Promise.allSettled(left.map((one) => one.finished))
  })
  const violations = await page.evaluate(
    async ({ tags, onlyColours }) => {
      const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }
      const what = onlyColours
        ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
        : { type: 'tag', values: tags }
      const found = await axe.run({ resultTypes: ['violations'], runOnly: what })
      /** Whether an element is scrolled under fixed columns, where nobody can press it. */
      const isCovered = (selector: unknown) => {
        const element = typeof selector === 'string' ? document.querySelector(selector) : null
        if (!element) return false
        const { left, top, width, height } = element.getBoundingClientRect()
        const topmost = document.elementFromPoint(left + width / 2, top + height / 2)
        return !!topmost?.closest('.ant-table-cell-fix') && !topmost.closest('.ant-table-cell-fix')!.contains(element)
      }
      return found.violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes
          .filter(({ target }) => id !== 'target-size' || !isCovered(target[0]))
          .map(({ html }) => html.slice(0, 120)),
      }))
    },
    { tags: TAGS, onlyColours: colours },
  )
  return violations
    .filter(({ impact, nodes }) => nodes.length && (impact === 'serious' || impact === 'critical'))
    .map(({ id, nodes }) => `${place}: ${id} ${nodes.length}×, like ${nodes[0]!.replace(/\s+/g, ' ')}`)
}
