// npm start: from whatever the machine has to the running product.
import { prepare, runModule } from './node.mjs'

await prepare()
const [{ buildWeb }, { buildBeside }] = await Promise.all([
  import('./build-web.ts'),
  import('../apps/server/src/web-build.ts'),
])
buildBeside(buildWeb())
await runModule('apps/server/src/main.ts', process.argv.slice(2))
