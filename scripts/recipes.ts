// npm run recipes: follows every recipe of docs/recipes to the letter in a copy of the tree, and runs all that it says.
import { failureOf, freshTree, programOf, RECIPES, stepsOf, writeBlock } from './recipe-steps.ts'

const tree = freshTree()
try {
  for (const recipe of RECIPES) await runRecipe(recipe)
} finally {
  tree.remove()
}

async function runRecipe(recipe: string): Promise<void> {
  console.log(`\n${recipe}`)
  for (const step of stepsOf(recipe)) {
    if ('file' in step) {
      writeBlock(tree.folder, step)
      console.log(`  ${step.file}`)
      continue
    }
    const since = Date.now()
    const failure = await failureOf(tree.folder, ...programOf(step.command))
    console.log(`  ${step.command}: ${failure ? 'FAILED' : 'ok'} (${((Date.now() - since) / 1000).toFixed(0)} s)`)
    if (failure) {
      console.error(failure)
      process.exitCode = 1
      return
    }
  }
}
