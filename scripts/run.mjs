// node scripts/run.mjs <file> [arguments]: runs one of our files with the packages installed and on the project's Node.
import { prepare, runModule } from './node.mjs'

await prepare()
const [file, ...args] = process.argv.slice(2)
if (!file) throw new Error('Say the file: node scripts/run.mjs scripts/derived.ts')
await runModule(file, args)
