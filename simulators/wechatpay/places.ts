import { createHash } from 'node:crypto'
import { encrypted, newNonce } from './keys.ts'
import { iso, refuse, type WechatSimRequest, type Routes, type World } from './world.ts'

const MEDIA_BYTES_MAX = 2 * 1024 * 1024
const IMAGE = /\.(jpe?g|png|bmp)$/i

/** Stores an uploaded picture; refuses one whose `meta` does not match. */
function upload(world: World, { file }: WechatSimRequest) {
  if (!file) return refuse(400, 'PARAM_ERROR', '缺少文件', '268435461')
  const { filename = '', sha256 } = file.meta
  if (filename !== file.name || !IMAGE.test(filename)) return refuse(400, 'PARAM_ERROR', '文件名错误', '268435461')
  if (file.bytes.length > MEDIA_BYTES_MAX) return refuse(400, 'PARAM_ERROR', '文件过大', '268435461')
  const hash = createHash('sha256').update(file.bytes).digest('hex')
  if (sha256 !== hash) return refuse(400, 'PARAM_ERROR', '图片 sha256 不一致', '268435461')
  const media_id = `M${hash.slice(0, 60)}`
  world.media.add(media_id)
  return { media_id }
}

/** Returns the platform certificates, encrypted with the merchant's APIv3 key. */
function certificates({ certificate, merchant }: World) {
  const nonce = newNonce()
  const ciphertext = encrypted(Buffer.from(certificate.pem), Buffer.from(merchant.apiv3Key), nonce, 'certificate')
  return {
    data: [
      {
        serial_no: certificate.serialNo,
        effective_time: iso(certificate.from.getTime()),
        expire_time: iso(certificate.until.getTime()),
        encrypt_certificate: {
          algorithm: 'AEAD_AES_256_GCM',
          nonce,
          associated_data: 'certificate',
          ciphertext: ciphertext.toString('base64'),
        },
      },
    ],
  }
}

const PLACES = [
  { province_name: '北京市', province_code: 10, cities: [['北京市', 10]] },
  {
    province_name: '浙江省',
    province_code: 12,
    cities: [
      ['杭州市', 571],
      ['宁波市', 574],
    ],
  },
] as const
const BRANCHES = [
  ['文三支行', '313331000014'],
  ['文二路支行', '313331000022'],
  ['滨江支行', '313331000039'],
] as const

/** Returns a page of a list, by `offset` and `limit`. */
function pageOf<T>({ query }: WechatSimRequest, all: readonly T[]) {
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 20)]
  if (!(limit > 0 && limit <= 200)) refuse(400, 'PARAM_ERROR', 'limit', '268435461')
  const data = all.slice(offset, offset + limit)
  return { total_count: all.length, count: data.length, offset, data, links: { self: '' } }
}

const BANKS = [
  ['工商银行', '1000009561', false],
  ['招商银行', '1000009578', false],
  ['杭州银行', '1000009537', true],
] as const

const banks = (_world: World, request: WechatSimRequest) =>
  pageOf(
    request,
    BANKS.map(([bank, code, needs]) => ({
      bank_alias: bank,
      bank_alias_code: code,
      account_bank: needs ? '其他银行' : bank,
      account_bank_code: Number(code.slice(-4)),
      need_bank_branch: needs,
    })),
  )

function branches(_world: World, request: WechatSimRequest) {
  const bank = BANKS.find(([, code]) => code === request.params[0]) ?? refuse(404, 'RESOURCE_NOT_EXISTS', '银行不存在')
  const cities = PLACES.flatMap((one): readonly (readonly [string, number])[] => one.cities)
  const city = cities.find(([, code]) => code === Number(request.query.get('city_code')))
  if (!city) return refuse(400, 'PARAM_ERROR', 'city_code', '268435461')
  const named = BRANCHES.map(([name, no]) => ({
    bank_branch_name: `${bank[0]}${city[0].replace('市', '')}${name}`,
    bank_branch_id: no,
  }))
  return pageOf(request, named)
}

const CAPITAL = String.raw`^\/v3\/capital\/capitallhh`
export const placeRoutes: Routes = [
  ['POST', /^\/v3\/merchant\/media\/(?:upload|video_upload)$/, upload],
  ['GET', /^\/v3\/certificates$/, certificates],
  [
    'GET',
    new RegExp(`${CAPITAL}\\/areas\\/provinces$`),
    () => ({ total_count: PLACES.length, data: PLACES.map(({ cities: _cities, ...one }) => one) }),
  ],
  [
    'GET',
    new RegExp(`${CAPITAL}\\/areas\\/provinces\\/(\\d+)\\/cities$`),
    (_world, { params: [code] }) => {
      const { cities = [] } = PLACES.find(({ province_code }) => province_code === Number(code)) ?? {}
      return { total_count: cities.length, data: cities.map(([city_name, city_code]) => ({ city_name, city_code })) }
    },
  ],
  ['GET', new RegExp(`${CAPITAL}\\/banks\\/(?:personal|corporate)-banking$`), banks],
  ['GET', new RegExp(`${CAPITAL}\\/banks\\/(\\d+)\\/branches$`), branches],
]
