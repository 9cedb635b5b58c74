import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { LightScheduleCell } from './lights.input.tsx'
import { shopConf } from './shop-conf.resource.ts'
import './shops.css'

type Row = WireRow<typeof basicShopInfo>

const words = {
  facts: { zh: '门店资料', en: 'Store details' },
  settings: { zh: '设置', en: 'Settings' },
  hours: { zh: '无人值守时段', en: 'Unattended hours' },
  seconds: { zh: '{count} 秒', en: '{count} s' },
  days: { zh: '{count} 天', en: '{count} {count|day|days}' },
  pieces: { zh: '{count} 件', en: '{count} {count|piece|pieces}' },
  yes: { zh: '已开启', en: 'On' },
  no: { zh: '未开启', en: 'Off' },
} satisfies Record<string, LocalizedText>
/** Facts of a shop: boss, address, contact and others. */
export function ShopFactsSection({ shop }: { shop: Row }) {
  const t = useLocalize()
  const { fields } = basicShopInfo
  const place = [shop.districtName, shop.address].filter(Boolean).join(' ').replaceAll('/', '')
  const pictures = String(shop.pictures ?? '')
    .split(',')
    .filter(Boolean)

  const facts: [LocalizedText, ReactNode][] = [
    [fields.bossUserId.label, String(shop.bossUserName ?? '')],
    [fields.address.label, place],
    [
      fields.phone.label,
      shop.phone ? (
        <a key="phone" href={`tel:${String(shop.phone)}`}>
          {String(shop.phone)}
        </a>
      ) : (
        ''
      ),
    ],
    [words.hours, shop.unmannedStart ? `${String(shop.unmannedStart)}–${String(shop.unmannedEnd)}` : ''],
    [fields.area.label, Number(shop.area) > 0 ? `${String(shop.area)} ${t(fields.area.unit!)}` : ''],
    [fields.openDate.label, String(shop.openDate ?? '')],
    [fields.clientId.label, String(shop.clientId ?? '')],
    [fields.remark.label, String(shop.remark ?? '')],
  ]

  return (
    <section className="shop-card shops-beside">
      <div>
        <h3>{t(words.facts)}</h3>
        <dl className="shop-facts">
          {facts
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <div key={label.en}>
                <dt>{t(label)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {pictures.length > 0 && <Thumbnails links={pictures} large />}
      </div>
    </section>
  )
}

/** Settings of a shop, for people who may see them. */
export function ShopSettings({ shopId }: { shopId: string }) {
  const t = useLocalize()
  const language = useLanguage()
  const page = useResourcePath('shopConf')
  const { data } = useQuery({
    queryKey: ['list', 'shopConf', language, 'shop', shopId],
    queryFn: () =>
      apiGet<{ records: WireRow<typeof shopConf>[] }>(
        '/api/shop/shopConf/list',
        { shopId, current: 1, size: 1 },
        { quiet: true },
      ),
    enabled: !!page,
  })

  const conf = data?.records[0]
  if (!page || !conf) return null
  const isOn = (value: unknown) => t(value === true ? words.yes : words.no)
  const { fields } = shopConf
  const facts: [LocalizedText, ReactNode][] = [
    [fields.entryMode.label, String(conf.entryModeName ?? '')],
    [fields.doorHoldSeconds.label, t(words.seconds, { count: Number(conf.doorHoldSeconds) })],
    [fields.payTypes.label, String(conf.payTypesName ?? '').replaceAll(',', ' · ')],
    [fields.vipEnabled.label, isOn(conf.vipEnabled)],
    [fields.deliveryEnabled.label, isOn(conf.deliveryEnabled)],
    [fields.unmannedEnabled.label, isOn(conf.unmannedEnabled)],
    [fields.lightSchedule.label, <LightScheduleCell key="lights" value={conf.lightSchedule} />],
    [fields.lowStockThreshold.label, t(words.pieces, { count: Number(conf.lowStockThreshold) })],
    [fields.expiryWarnDays.label, t(words.days, { count: Number(conf.expiryWarnDays) })],
  ]

  return (
    <section className="shop-card shops-beside">
      <div>
        <h3>
          {t(words.settings)}
          <span className="kit-grow" />
          <RowLink to="shopConf" id={String(conf.id)}>
            {t(kit.view)}
          </RowLink>
        </h3>
        <dl className="shop-facts">
          {facts.map(([label, value]) => (
            <div key={label.en}>
              <dt>{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
