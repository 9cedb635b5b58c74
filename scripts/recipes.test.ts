import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureOf, freshTree, programOf, RECIPES, stepsOf, write } from './recipe-steps.ts'
import { TYPES } from './types-program.ts'

const derives = (command: string): boolean => command.startsWith('npm run derived')
/** The derived files are generated once, in the last recipe that asks for it. */
const deriving = RECIPES.findLast((recipe) =>
  stepsOf(recipe).some((step) => 'command' in step && derives(step.command)),
)

/** Commands that only `npm run recipes` runs: they check more than the recipe, or take long. */
const isLong = (command: string, recipe: string): boolean =>
  /^npm (test|run check|run format)/.test(command) || (derives(command) && recipe !== deriving)

/** A recipe without code: its page only has a test. */
const NO_CODE = 'put-an-act-behind-approval'

let tree: ReturnType<typeof freshTree>
beforeAll(() => void (tree = freshTree()))
afterAll(() => tree.remove())

/** Writes a step's block or runs its command. Returns the failure. */
async function failureAt(step: ReturnType<typeof stepsOf>[number], recipe: string): Promise<string | undefined> {
  if ('file' in step) return void write(tree.folder, step)
  return isLong(step.command, recipe) ? undefined : failureOf(tree.folder, ...programOf(step.command))
}

/** All recipes in one tree, which is compiled at the end. `npm run recipes` also runs the tests of the pages. */
describe('a recipe followed to the letter', () => {
  test.each(RECIPES)('finds every place it names, and its migration: %s', { timeout: 240_000 }, async (recipe) => {
    const steps = stepsOf(recipe)
    expect(steps.filter((step) => 'file' in step).length).toBeGreaterThan(recipe === NO_CODE ? 0 : 2)
    for (const step of steps) expect(await failureAt(step, recipe)).toBeUndefined()
  })

  test('leaves a tree that compiles and whose derived files are up to date', { timeout: 240_000 }, async () => {
    expect(await failureOf(tree.folder, 'scripts/derived.ts', '--check')).toBeUndefined()
    // With other test files running, one checker is enough.
    expect(await failureOf(tree.folder, ...TYPES, '--checkers', '1')).toBeUndefined()
  })
})
