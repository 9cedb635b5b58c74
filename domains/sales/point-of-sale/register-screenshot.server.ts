import { f, defineRetentionParam } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { objectSchema, integerSchema } from '#kit/resource/response-schema.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineRoute, serve, type Call, type RetentionRule } from '#kit/server/module/module.ts'
import { createOneTimeTickets } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  findFileByKey,
  deleteStoredFiles,
  storeFile,
  readEncryptedUrlPart,
  createEncryptedUrlPart,
  replyWithStoredFile,
} from '#domains/platform/files/api.ts'
import {
  commandToWire,
  executeDeviceCommand,
  defineCommand,
  completeCommandOnServer,
} from '#domains/devices/device-messaging/api.ts'
import { deviceCommand } from '#domains/devices/device-messaging/index.ts'
import { cashRegister } from './cash-register.resource.ts'
import './refusals.ts'
import { cashRegisterScreenshotCall } from './register-screenshot.calls.ts'
import { registerScreenshot, screenshotOpening } from './register-screenshot.resource.ts'

/** Content of an upload address: it is valid for the picture of one command. */
type ScreenshotToken = { tenantId: string; commandId: string }

const SCREEN_PATH = '/api/device/screen/'
const PURPOSE = 'screen'
const PICTURE_MAX = 2_097_152
const TAKEN_MS = 5_000
const DONE_MS = 30_000
/** Seconds an upload address is valid: the time the device has, and a margin for the transfer. */
const ADDRESS_SECONDS = (TAKEN_MS + DONE_MS) / 1_000 + 5

/**
 * Command that takes a screenshot of a register. Done only when the picture has arrived: row, file and the command's
 * end are one transaction.
 */
const screenshot = defineCommand<{ quality: number; maxWidth: number }>({
  method: 'reg.screenshot',
  label: { zh: '截屏', en: 'Screenshot' },
  ackTimeoutMs: TAKEN_MS,
  completionTimeoutMs: DONE_MS,
  lifeMs: TAKEN_MS,
  offline: 'refuse',
  lane: () => 'screen',
  perMinute: 6,
  confirmedByServer: true,
  resolveAtSend: ({ id }, services, tenantId) => {
    const token: ScreenshotToken = { tenantId, commandId: id }
    return {
      putUrl: `${services.config.publicUrl}${SCREEN_PATH}${createEncryptedUrlPart(
        services,
        PURPOSE,
        token,
        ADDRESS_SECONDS,
      )}`,
    }
  },
})

async function requestScreenshot(call: Call<{ id: string | null; reason: string | null }>) {
  const { caller, services, input } = call
  const [register] = await services.unit({ tenantId: caller.tenantId }, (db) =>
    db.find(cashRegister, sql`r.id = ${input.id}${dataScopeSql(cashRegister, caller)}`),
  )
  if (!register) throw new Refused('not_found', { label: cashRegister.label })
  const { sn } = register
  return commandToWire(
    await executeDeviceCommand(
      call,
      screenshot,
      sn,
      { quality: 60, maxWidth: 960 },
      { until: 'asked', reason: input.reason },
    ),
  )
}

function requireToken(services: Services, query: Readonly<Record<string, string>>): ScreenshotToken {
  const token = readEncryptedUrlPart<ScreenshotToken>(services, PURPOSE, query['*'] ?? '')
  if (!token) throw new Refused('screen_address_over')
  return token
}

/**
 * Stores the picture and ends its command. Refused when the command has already ended, so of two uploads one counts.
 */
async function keepPicture(db: Db, services: Services, id: string, { key, size }: { key: string; size: number }) {
  const command = await db.get(deviceCommand, id, 'forUpdate')
  if (!command || !(await completeCommandOnServer(db, services, id, { size }))) throw new Refused('screen_address_over')
  const row = await db.insert(registerScreenshot, {
    registerId: command.linkId!,
    shopId: command.shopId,
    userId: command.userId,
    reason: command.reason,
    commandId: id,
    size,
    openings: 0,
    fileKey: key,
  })
  publishRowsChanged({ db }, registerScreenshot, [row])
}

async function takePicture({ services, query, bytes = Buffer.alloc(0) }: Call) {
  const { tenantId, commandId } = requireToken(services, query)
  const kept = { tenantId, bytes, name: 'screen.jpg', allowed: ['jpg', 'png'], maxBytes: PICTURE_MAX, isPrivate: true }
  await storeFile(services, {
    ...kept,
    also: (db, key) => keepPicture(db, services, commandId, { key, size: bytes.length }),
  })
  return { size: bytes.length }
}

async function showPicture(call: Call<{ ticket: string | null }>) {
  const grant = await createOneTimeTickets(call.services.shared).redeem(PURPOSE, call.input.ticket!)
  const file = grant && (await findFileByKey(call.services, (grant as { key: string }).key))
  if (!file) throw new Refused('ticket_spent')
  return replyWithStoredFile(call, file, 'no-store')
}

export const registerScreenshotServer = serve(registerScreenshot, {
  without: ['submit', 'remove'],
  actions: {
    /** Records the access before anything is shown. Returns an address that shows the picture once. */
    open: async ({ id, registerId, shopId, fileKey, openings }, { reason: why }, call) => {
      const { db, caller, services } = call
      await db.insert(screenshotOpening, { screenshotId: id, registerId, shopId, userId: caller.userId, reason: why })
      publishRowsChanged(call, registerScreenshot, [
        await db.update(registerScreenshot, id, { openings: (openings ?? 0) + 1 }),
      ])
      const ticket = await createOneTimeTickets(services.shared).issue(PURPOSE, { key: fileKey! })
      return { url: `${registerScreenshot.path}/picture?ticket=${ticket}` }
    },
  },
})

export const screenshotOpeningServer = serve(screenshotOpening)

export const screenshotRoutes = [
  defineRoute(cashRegisterScreenshotCall, {
    title: { zh: '收银机截屏', en: 'Register screenshot' },
    can: 'cashRegister_screenshot',
    tx: false,
    handle: requestScreenshot,
  }),
  defineRoute({
    method: 'PUT',
    path: `${SCREEN_PATH}*`,
    answers: objectSchema({ size: integerSchema }),
    title: { zh: '收银机上传截屏', en: 'Upload register screenshot' },
    can: { open: 'the address is sealed by the server and worth one picture, soon' },
    tx: false,
    log: false,
    perMinute: 600,
    raw: true,
    bodyMaxBytes: PICTURE_MAX,
    authorizeUpload: async (query, services) => void requireToken(services, query),
    handle: takePicture,
  }),
  defineRoute({
    method: 'GET',
    path: `${registerScreenshot.path}/picture`,
    title: { zh: '查看截屏', en: 'View screenshot' },
    can: { open: 'worth one use of a ticket given to who said why' },
    tx: false,
    perMinute: 600,
    input: { ticket: f.text({ label: { zh: '查看凭证', en: 'View ticket' }, required: true, max: 64 }) },
    handle: showPicture,
  }),
]

export const screenshotRetentionRules: readonly RetentionRule[] = [
  {
    table: registerScreenshot.table,
    param: defineRetentionParam(
      'registerScreenshotDays',
      7,
      { zh: '收银机截屏保留天数', en: 'Screenshot retention (days)' },
      1,
    ),
    along: async (db, rows) =>
      void (await deleteStoredFiles(
        db,
        rows.map(({ fileKey }) => String(fileKey)),
      )),
  },
  {
    table: screenshotOpening.table,
    param: defineRetentionParam(
      'screenshotOpeningDays',
      365,
      { zh: '截屏查看日志保留天数', en: 'Screenshot access log retention (days)' },
      90,
    ),
  },
]
