// Beside a start: what the browser app is built of is made as small as it goes, once, by what the machine has left.
import { setPriority, constants } from 'node:os'
import { join } from 'node:path'
import { compressAssetsWithBrotli } from '../apps/web/build/compressed.ts'

setPriority(constants.priority.PRIORITY_LOW)
await compressAssetsWithBrotli(join(import.meta.dirname, '../apps/web/dist'))
