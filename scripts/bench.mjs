// npm run bench -- NAME …: runs one benchmark of bench/; without a name it says which there are.
import { existsSync } from 'node:fs'

const [name, ...rest] = process.argv.slice(2)
const file = new URL(`../bench/${name}.ts`, import.meta.url)
if (!name || !existsSync(file)) {
  console.error(
    'npm run bench -- lists [--rows 1000000] [--rounds 3] [--seconds 4]\nnpm run bench -- export [--rows ' +
      '1000000]\nnpm run bench -- home [--data ./year] [--rounds 7]\nnpm run bench -- sums [--orders ' +
      '10000000]\nnpm run bench -- overload [--connections 1000] [--seconds 15]\nnpm run bench -- search ' +
      '[--rows 1000000] [--rounds 5]\nnpm run bench -- filters [--rows 1000000] [--data ./filters] [--families ' +
      'shoppingOrder,wxUser] [--within 300] [--plans]\nnpm run bench -- pages' +
      '\nnpm run bench -- start [--data ./data] [--runs 5]' +
      '\nnpm run bench -- cores [--rounds 3] [--seconds 4] [--workers 2]' +
      '\nnpm run bench -- devices [--gateways 5000] [--seconds 15] [--commands 20] [--broker own|mosquitto]' +
      '\nnpm run bench -- reconciliation [--lines 1000000] [--each 1000]' +
      '\nnpm run bench -- platform-orders [--steady 300] [--rate 5] [--burst 1000] [--parallel 100]' +
      '\nnpm run bench -- workflow [--tasks 200] [--lanes 8]' +
      '\nnpm run bench -- own-fields [--rows 1000000] [--rounds 9]' +
      '\nnpm run bench -- reports [--data ./year] [--rounds 5]' +
      '\nnpm run bench -- shared-reads [--rounds 5] [--seconds 4] [--delay 0.15] [--only ordinary]' +
      '\nnpm run bench -- writes [--rounds 5] [--seconds 3] [--only submit]',
  )
  process.exit(2)
}
process.argv.splice(2, process.argv.length, ...rest)
await import(file.href)
