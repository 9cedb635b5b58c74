import { defineDict } from '#kit/resource/index.ts'

export const videoDictionaries = [
  defineDict({
    code: 'video_generation',
    label: { zh: '平台版本', en: 'Generation of a platform' },
    entries: [
      { key: 'auto', zh: '自动识别', en: 'Found out' },
      { key: 'g1', zh: 'WVP 2.6 至 2.7.2', en: 'WVP 2.6 to 2.7.2' },
      { key: 'g2', zh: 'WVP 2.7.3 及以后', en: 'WVP 2.7.3 and later' },
    ],
  }),
  defineDict({
    code: 'camera_state',
    label: { zh: '画面状态', en: 'State of a picture' },
    entries: [
      { key: 'ok', zh: '正常', en: 'Well', colour: 'success' },
      { key: 'offline', zh: '离线', en: 'Offline', colour: 'default' },
      { key: 'black', zh: '黑屏', en: 'Black', colour: 'error' },
      { key: 'frozen', zh: '画面冻结', en: 'Frozen', colour: 'error' },
      { key: 'turned', zh: '被转动或遮挡', en: 'Turned away', colour: 'warning' },
      { key: 'unknown', zh: '未检查', en: 'Not looked at', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'camera_ptz',
    label: { zh: '云台', en: 'Pan and tilt' },
    entries: [
      { key: '0', zh: '未知', en: 'Not known' },
      { key: '1', zh: '球机', en: 'Dome' },
      { key: '2', zh: '半球', en: 'Half dome' },
      { key: '3', zh: '固定枪机', en: 'Fixed' },
      { key: '4', zh: '遥控枪机', en: 'Bullet that turns' },
      { key: '5', zh: '遥控半球', en: 'Half dome that turns' },
      { key: '6', zh: '多目', en: 'Several lenses' },
      { key: '7', zh: '分割多目', en: 'Split lenses' },
    ],
  }),
]
