import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  video_login_failed: {
    zh: '视频平台登录失败，请检查视频平台账号',
    en: 'Sign-in to the video platform failed. Check the video platform account.',
  },
  video_away: { zh: '视频平台没有应答，请稍后再试', en: 'The video platform is not responding. Try again later.' },
  video_refused: { zh: '视频平台拒绝：{message}', en: 'The video platform rejected the request: {message}' },
  video_account_missing: {
    zh: '摄像头所在的视频平台账号已停用或删除',
    en: 'The video platform account of this camera was deactivated or deleted',
  },
  video_place_of_platform: {
    zh: '这个账号的接口地址在内部网络，{label}只能由平台修改',
    en: 'This account points to a private network address. Only the platform can change its {label}.',
  },
  video_credentials_missing: {
    zh: '请填写用户名和密码，或接口密钥',
    en: 'Enter a user name and password, or an API key',
  },
  camera_not_by_hand: {
    zh: '摄像头来自视频平台的通道，不能手动新增',
    en: 'Cameras come from video platform channels. They cannot be added manually.',
  },
  camera_offline: { zh: '“{name}”离线', en: '“{name}” is offline' },
  camera_silent: {
    zh: '“{name}”点播超时，请检查设备网络',
    en: '“{name}” did not start streaming in time. Check the network of the device.',
  },
  camera_no_stream: { zh: '媒体服务没有给出可播放的地址', en: 'The media server returned no playable address' },
  camera_fixed: { zh: '“{name}”没有云台', en: '“{name}” has no PTZ' },
  camera_held: { zh: '“{name}”正由 {user} 控制', en: '{user} is controlling “{name}”' },
  camera_too_fast: { zh: '云台操作太频繁', en: 'Too many PTZ commands. Wait a moment.' },
  camera_no_voice: { zh: '“{name}”没有喇叭', en: '“{name}” has no speaker' },
  camera_talking: { zh: '“{name}”正在对讲中（{user}）', en: '{user} is using two-way audio on “{name}”' },
  camera_no_record: { zh: '这一时刻没有录像', en: 'There is no recording for this time' },
  camera_span: { zh: '一次最多查看 {hours} 小时', en: 'You can view up to {hours} {hours|hour|hours} at a time' },
  camera_watchers: {
    zh: '同时观看的画面已达上限 {max}',
    en: 'You can watch up to {max} {max|stream|streams} at the same time',
  },
  talk_needs_browser: { zh: '请用浏览器发起对讲', en: 'Start two-way audio in a browser' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
