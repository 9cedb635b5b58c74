// Compresses the files of the browser app's build once, at the lowest priority. Started by `npm start` in the
// background.
import { setPriority, constants } from 'node:os'
import { join } from 'node:path'
import { compressAssetsWithBrotli } from '../apps/web/build/compressed.ts'

setPriority(constants.priority.PRIORITY_LOW)
await compressAssetsWithBrotli(join(import.meta.dirname, '../apps/web/dist'))
