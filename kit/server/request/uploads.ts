import '@fastify/multipart'
import { createAdmissionControl } from '../database/admission.ts'
import { Refused } from '../refused.ts'
import type { Caller } from '../caller.ts'
import type { RequestContext } from './request-context.ts'

/** Files are held whole in memory while they are looked at: so many at once, and who comes then waits unread. */
const UPLOADS_AT_ONCE = 8
const UPLOAD_PATIENCE_MS = 30_000

/** Whether Fastify's own parsers found the sender at fault: what they refuse has a status of its own. */
export const isClientError = (error: unknown): boolean => {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' && status >= 400 && status < 500
}

/** Places for files: `enter` waits for one, if the journey brings a file, and answers what gives it back. */
export function createUploadAdmission() {
  const places = createAdmissionControl(UPLOADS_AT_ONCE)
  return {
    enter: ({ spec, request }: RequestContext, { tenantId }: Caller): Promise<() => void> | undefined =>
      spec.uploadMaxBytes && request.isMultipart()
        ? places.enter({ tenantId, lane: 'write', acquireTimeoutMs: UPLOAD_PATIENCE_MS })
        : undefined,
  }
}

/** Reads the form of a route that takes a file. */
export async function readMultipartForm(journey: RequestContext): Promise<void> {
  try {
    await readForm(journey)
  } catch (error) {
    // A form that ends in the middle is the sender's fault too, though its reader gives the error no status.
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
