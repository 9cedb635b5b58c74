import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve } from '#kit/server/module/module.ts'
import { createOneTimeTickets } from '#kit/server/security/index.ts'
import { lockVisibleRow } from '#kit/server/resource/submit-of.ts'
import { inTenantOf } from '#kit/server/resource/remove-of.ts'
import sql from 'sql-template-tag'

import { attachTicketCall } from './attach.calls.ts'
import { attach } from './attach.resource.ts'
import { FILE_LABEL, replyWithStoredFile } from './file.server.ts'
import { findReferencedFileKeys } from './named-files.ts'
import { findFileByKey, findTenantFileByLink, deleteStoredFiles, fileKeyOfLink } from './stored-file.ts'

export const attachServer = serve(attach, {
  // Deletes the file with its last attachment, unless a row still refers to it.
  afterRemove: async (rows, call) => {
    const { db } = call
    const links = rows.map((row) => row.link).filter((link): link is string => fileKeyOfLink(link) !== undefined)
    if (!links.length) return
    const kept = new Set(
      (
        await db.query<{ link: string }>(sql`select link from attach where link = any(${links}) and is_deleted = 0`)
      ).map((row) => row.link),
    )
    const keys = links.filter((link) => !kept.has(link)).map((link) => fileKeyOfLink(link)!)
    if (!keys.length) return
    const named = await findReferencedFileKeys(call, db, keys)
    const open = await db.query<{ key: string }>(
      sql`select key from stored_file where tenant_id = ${db.tenantId} and key = any(${keys})
        and not coalesce(is_private, false)`,
    )
    await deleteStoredFiles(
      db,
      open.map(({ key }) => key).filter((key) => !named.has(key)),
    )
  },
})

const PURPOSE = 'attach'

export const attachRoutes = [
  defineRoute(attachTicketCall, {
    title: { zh: '附件下载', en: 'Download attachment' },
    can: 'attach_download',
    handle: async (call) => {
      const { id } = call.input
      const { link, file } = await inTenantOf(call, attach, id, async (db) => {
        const row = (await lockVisibleRow(attachServer, { ...call, db }, id)) as { link: string }
        return { link: row.link, file: await findTenantFileByLink(call.services, db.tenantId, row.link) }
      })
      if (!fileKeyOfLink(link)) return { ticket: '', url: link }
      if (!file) throw new Refused('not_found', { label: FILE_LABEL })
      const ticket = await createOneTimeTickets(call.services.shared).issue(PURPOSE, { key: file.key })
      return { ticket, url: `${attach.path}/download?ticket=${ticket}` }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${attach.path}/download`,
    title: { zh: '附件下载', en: 'Download attachment' },
    can: { open: 'worth one use of a ticket somebody with permission was given' },
    tx: false,
    perMinute: 600,
    input: { ticket: f.text({ label: { zh: '下载凭证', en: 'Download ticket' }, required: true, max: 64 }) },
    handle: async (call) => {
      const grant = (await createOneTimeTickets(call.services.shared).redeem(PURPOSE, call.input.ticket)) as
        | { key: string }
        | undefined
      const file = grant && (await findFileByKey(call.services, grant.key))
      if (!file) throw new Refused('ticket_spent')
      return replyWithStoredFile(call, { ...file, inline: false }, 'no-store')
    },
  }),
]
