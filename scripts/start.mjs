// npm start: from whatever the machine has to the running product.
import { prepare, runModule } from './node.mjs'

/** Memory that the build, the database and its demo data need in parallel. With less, the build runs first. */
const BYTES_FOR_OTHERS = 3e9

await prepare()
const [{ buildWeb, packWeb }, { readHostResources }, { registerWebBuild }] = await Promise.all([
  import('./build-web.ts'),
  import('../apps/server/src/machine.ts'),
  import('../apps/server/src/web-build.ts'),
])
const build = buildWeb()
if (readHostResources().bytes < BYTES_FOR_OTHERS) await build
registerWebBuild(build)
void build.then((isBuilt) => isBuilt && packWeb())
await runModule('apps/server/src/main.ts', process.argv.slice(2))
