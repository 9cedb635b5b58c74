import { createHash } from 'node:crypto'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { uploadKey } from '#kit/server/storage/index.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { attach, oss } from '#domains/platform/files/index.ts'
import { sms, smsRecord } from './sms.resource.ts'
import { fileLinkOf } from '#domains/platform/files/api.ts'

const DAY_MS = 86_400_000
/** Status of the demo accounts, disabled: demo files stay in the built-in store and no message is really sent. */
const OFF = 1

const FILES = [
  {
    daysAgo: 21,
    name: '门店开业检查表.csv',
    type: 'text/csv',
    text: '项目,要求,结果\n门禁,刷码三秒内开门,合格\n收银机,离线可收款,合格\n摄像头,出入口各一台,合格\n价签,与系统价格一致,合格\n',
  },
  {
    daysAgo: 9,
    name: '夜间值守排班.csv',
    type: 'text/csv',
    text: '日期,值守人,电话\n周一,周倩,13857100004\n周二,徐航,13857100005\n周三,周倩,13857100004\n',
  },
  {
    daysAgo: 3,
    name: '盘点流程说明.txt',
    type: 'text/plain',
    text: '一、打印盘点单。\n二、按货架逐层清点，扫码录入。\n三、差异超过 50 元的写明原因。\n四、店主确认后提交。\n',
  },
] as const

const TEXTS = [
  {
    smsCode: 'door-code',
    templateId: '您的开门验证码为${code}，五分钟内有效。',
    signName: '小满便利',
    remark: '顾客扫码失败时发送',
  },
  {
    smsCode: 'refund-done',
    templateId: '您的订单${order}已退款${amount}元。',
    signName: '小满便利',
    remark: '退款到账后发送',
  },
] as const

/** Stores a file in the built-in store and lists it among the attachments as an upload would. */
async function seedFile(
  db: Db,
  services: Services,
  { name, type, text }: (typeof FILES)[number],
  at: Date,
): Promise<void> {
  const bytes = Buffer.from(`\uFEFF${text}`)
  const extension = name.split('.').pop()!
  const key = uploadKey(db.tenantId, extension, at)
  await services.files.put(key, bytes, { contentType: type })
  await db.run(sql`
    insert into stored_file (key, tenant_id, oss_id, original_name, extension, content_type, size, hash, inline,
    create_user, create_time)
    values (${key}, ${db.tenantId}, null, ${name}, ${extension}, ${type}, ${bytes.length},
    ${createHash('sha256').update(bytes).digest('hex')}, false, ${db.userId}, ${at.toISOString()})`)
  await db.insert(attach, {
    link: fileLinkOf(key),
    domain: services.config.publicUrl,
    name: key,
    originalName: name,
    extension,
    attachSize: bytes.length,
  })
}

/**
 * Seeds the tenant with disabled storage accounts, disabled SMS providers with sent messages, and attachments that can
 * be opened.
 */
export async function seedFilesAndSmsDemo(db: Db, services: Services, now: Date): Promise<void> {
  await db.insert(oss, {
    category: 1,
    ossCode: 'warehouse',
    endpoint: 'http://minio.example.com:9000',
    bucketName: `tenant-${db.tenantId}`,
    accessKey: 'store-office',
    secretKey: 'not-a-secret',
    status: OFF,
    remark: '机房扩容后启用；现在文件存在本机',
  })

  const ids: string[] = []
  for (const text of TEXTS) {
    ids.push(
      (
        await db.insert(sms, {
          category: 3,
          accessKey: 'LTAI-example',
          secretKey: 'not-a-secret',
          regionId: 'cn-hangzhou',
          ...text,
          status: OFF,
        })
      ).id,
    )
  }

  const sent = new Date(now.getTime() - 2 * DAY_MS)
  await db.withTimestamp(sent, async (then) => {
    const message = { smsId: ids[0], params: '{}', attempts: 1, sentTime: formatShanghaiTime(sent) }
    await then.insert(smsRecord, {
      ...message,
      batchId: `story-${db.tenantId}-1`,
      phone: '13857109001',
      state: 'sent',
      providerCode: 'OK',
      providerMsg: 'OK',
      bizId: '900123456789',
    })
    await then.insert(smsRecord, {
      ...message,
      batchId: `story-${db.tenantId}-2`,
      phone: '13857109002',
      state: 'failed',
      sentTime: null,
      attempts: 3,
      providerCode: 'isv.MOBILE_NUMBER_ILLEGAL',
      providerMsg: '手机号码已停机',
    })
  })

  for (const file of FILES) {
    const at = new Date(now.getTime() - file.daysAgo * DAY_MS)
    await db.withTimestamp(at, (then) => seedFile(then, services, file, at))
  }
}
