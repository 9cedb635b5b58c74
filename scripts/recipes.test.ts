import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureOf, freshTree, programOf, RECIPES, stepsOf, writeBlock } from './recipe-steps.ts'

/** Goes over the whole tree, which takes a minute: it is run once, over all that the recipes have written. */
const CHECK = 'npm run check'

/** A recipe without code: its page only has a test. */
const NO_CODE = 'let-an-action-wait-for-approval'

let tree: ReturnType<typeof freshTree>
beforeAll(() => void (tree = freshTree()))
afterAll(() => tree.remove())

/** Writes what the step shows, or runs its command and answers how that failed. */
async function failureAt(step: ReturnType<typeof stepsOf>[number]): Promise<string | undefined> {
  if ('file' in step) return void writeBlock(tree.folder, step)
  return step.command === CHECK ? undefined : failureOf(tree.folder, ...programOf(step.command))
}

/** One upon the other in one tree, as a newcomer may follow them. */
describe('a recipe followed to the letter', () => {
  test.each(RECIPES)('finds every place it names, and its tests pass: %s', { timeout: 500_000 }, async (recipe) => {
    const steps = stepsOf(recipe)
    expect(steps.filter((step) => 'file' in step).length).toBeGreaterThan(recipe === NO_CODE ? 0 : 2)
    expect(steps).toContainEqual({ command: CHECK })
    for (const step of steps) expect(await failureAt(step)).toBeUndefined()
  })

  test('leaves a tree that passes the check each of them asks for', { timeout: 500_000 }, async () => {
    expect(await failureOf(tree.folder, ...programOf(CHECK))).toBeUndefined()
  })
})
