import '@fastify/multipart'
import { createAdmissionControl } from '../database/admission.ts'
import { Refused } from '../base/refused.ts'
import type { Caller } from '../base/caller.ts'
import type { RequestContext } from './request-context.ts'

/** Files parsed at once; each is held in memory as a whole. Others wait without being read. */
const UPLOADS_AT_ONCE = 8
const UPLOAD_TIMEOUT_MS = 30_000

/** Whether an error of Fastify's parsers is the client's fault (4xx); such errors have their own status. */
export const isClientError = (error: unknown): boolean => {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' && status >= 400 && status < 500
}

/** Limits uploads: `enter` waits for a place if the request has a file, and returns a function that releases it. */
export function createUploadAdmission() {
  const places = createAdmissionControl(UPLOADS_AT_ONCE)
  return {
    enter: ({ spec, request }: RequestContext, { tenantId }: Caller): Promise<() => void> | undefined =>
      spec.uploadMaxBytes && request.isMultipart()
        ? places.enter({ tenantId, lane: 'write', acquireTimeoutMs: UPLOAD_TIMEOUT_MS })
        : undefined,
  }
}

/** Reads the form of a route that takes a file. */
export async function readMultipartForm(journey: RequestContext): Promise<void> {
  try {
    await readForm(journey)
  } catch (error) {
    // A form that ends early is also the client's fault, but its parser sets no status.
    throw isClientError(error) ? error : new Refused('bad_body')
  }
}

async function readForm({ spec, request, raw }: RequestContext): Promise<void> {
  if (!request.isMultipart()) return
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts({
    limits: { files: spec.uploadMaxFiles ?? 1, fields: 20, fileSize: spec.uploadMaxBytes, fieldSize: 10_000 },
  })) {
    if (part.type === 'file')
      (raw.files ??= []).push({ name: part.filename ?? '', bytes: await part.toBuffer(), type: part.mimetype })
    else if (typeof part.value === 'string') fields[part.fieldname] = part.value
  }
  raw.body = fields
}
