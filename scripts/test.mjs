// npm test: everything that must hold, or the part of it that is asked for.
import { prepare, runModule } from './node.mjs'

await prepare()
await runModule('scripts/test-steps.ts', process.argv.slice(2))
