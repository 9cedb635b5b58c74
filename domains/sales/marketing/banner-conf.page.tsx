import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { bannerConf } from './banner-conf.resource.ts'
import './marketing.css'

type Row = WireRow<typeof bannerConf>

const words = {
  intro: {
    zh: '小程序里轮播的图片，按位置和时间自动上下架',
    en: 'Carousel images in the mini program, shown by position and time',
  },
  all: { zh: '全部', en: 'All' },
  running: { zh: '展示中', en: 'Live' },
  coming: { zh: '未开始', en: 'Upcoming' },
  over: { zh: '已结束', en: 'Ended' },
  show: { zh: '显示', en: 'Show' },
}

function PictureCell({ row, place }: CellProps<Row>) {
  return (
    <img
      className={place === 'detail' ? 'banner-large' : 'banner-small'}
      src={String(row.picture)}
      alt={String(row.title)}
      loading="lazy"
      decoding="async"
    />
  )
}

const cells = { picture: (props: CellProps<Row>) => <PictureCell {...props} /> }

/** Banners with a preview, filtered by running, coming or over. */
export default function BannerConfPage() {
  const t = useLocalize()
  const [standing, setStanding] = useState('all')
  return (
    <ResourcePage
      resource={bannerConf}
      page={{
        intro: words.intro,
        cells,
        fixed: standing === 'all' ? undefined : { standing },
        isNarrowed: standing !== 'all',
        head: () => (
          <div className="marketing-tabs">
            <Segmented
              value={standing}
              onChange={setStanding}
              aria-label={t(words.show)}
              options={(['all', 'running', 'coming', 'over'] as const).map((value) => ({
                value,
                label: t(words[value]),
              }))}
            />
          </div>
        ),
      }}
    />
  )
}
