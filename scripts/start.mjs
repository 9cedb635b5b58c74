// npm start: from whatever the machine has to the running product.
import { prepare, runModule } from './node.mjs'

await prepare()
const { buildWeb } = await import('./build-web.ts')
if (!(await buildWeb())) process.exit(1)
await runModule('apps/server/src/main.ts', process.argv.slice(2))
