import { SaxesParser } from 'saxes'
import { invalidFieldRefusal, serve } from '#kit/server/module/module.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import { paramValue } from '#domains/platform/system/api.ts'
import { REPORT_TOOL_URL_PARAM } from './params.ts'
import { reportFile } from './report-file.resource.ts'

const ROOT = 'ureport'

/** Whether a text is well-formed XML with the root element of the report tool. */
function isDesign(xml: string): boolean {
  let root = ''
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => (root ||= tag.name))
  try {
    parser.write(xml).close()
  } catch {
    return false
  }
  return root === ROOT
}

export const reportFileServer = serve(reportFile, {
  beforeSave: (draft, _was, call) => {
    requirePlatformCaller(call)
    if (draft.content !== undefined && !isDesign(draft.content))
      throw invalidFieldRefusal(reportFile, 'content', 'bad_format')
  },
  beforeRemove: (_rows, call) => requirePlatformCaller(call),
  present: async (wire, _rows, { services }) => {
    const base = (await paramValue(services, REPORT_TOOL_URL_PARAM)).trim().replace(/(?<!\/)\/+$/, '')
    const isUrl = /^https?:\/\//.test(base)
    for (const row of wire) {
      const fileQuery = `_u=${encodeURIComponent(`blade-${String(row.name)}`)}`
      Object.assign(row, {
        previewUrl: isUrl ? `${base}/preview?${fileQuery}` : '',
        designUrl: isUrl ? `${base}/designer?${fileQuery}` : '',
      })
    }
  },
})
