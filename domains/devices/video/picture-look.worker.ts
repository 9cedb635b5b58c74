import { parentPort } from 'node:worker_threads'
import { greyThumbnail } from './image-stats.ts'

/** Computes mean greys in a thread of its own, as a hostile picture may take long. */
parentPort!.on('message', (bytes: Uint8Array) => parentPort!.postMessage(greyThumbnail(bytes)))
