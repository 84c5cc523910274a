-- A game in its second phase, as the judge of revision 0001 left it.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE confirmation (
	token VARCHAR(40) NOT NULL, 
	inbox INTEGER NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	expires DATETIME NOT NULL, 
	CONSTRAINT pk_confirmation PRIMARY KEY (token), 
	CONSTRAINT fk_confirmation_inbox FOREIGN KEY(inbox) REFERENCES inbox (id)
);
CREATE TABLE filed_order (
	game VARCHAR(40) NOT NULL, 
	phase VARCHAR(6) NOT NULL, 
	power VARCHAR(20) NOT NULL, 
	place INTEGER NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	unit VARCHAR(8), 
	other VARCHAR(8), 
	target VARCHAR(6), 
	by_convoy BOOLEAN NOT NULL, 
	line TEXT NOT NULL, 
	mail INTEGER NOT NULL, 
	CONSTRAINT pk_filed_order PRIMARY KEY (game, phase, power, place), 
	CONSTRAINT fk_filed_order_game FOREIGN KEY(game) REFERENCES game (name)
);
INSERT INTO "filed_order" VALUES('ardennes','F1901M','FRANCE',0,'move','A BUR',NULL,'MUN',0,'A BUR - MUN',16);
CREATE TABLE game (
	name VARCHAR(40) NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	master INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	settings TEXT NOT NULL, 
	phase VARCHAR(6) NOT NULL, 
	position TEXT NOT NULL, 
	opened_at DATETIME, 
	deadline DATETIME, 
	closing_since DATETIME, 
	due DATETIME, 
	winner VARCHAR(20), 
	CONSTRAINT pk_game PRIMARY KEY (name), 
	CONSTRAINT fk_game_master FOREIGN KEY(master) REFERENCES person (id)
);
INSERT INTO "game" VALUES('ardennes','active',1,16,'{"map": "standard", "profile": "standard", "rules": {"convoy_multi_route": "one-route-suffices", "convoy_paradox": "szykman", "convoy_intent": "intent", "convoy_fallback": "none", "hold_support_of_failed_move": "void", "support_of_nonholding": "any-unmoved-unit", "own_attack_cuts_support": "no", "support_cut_from_target": "no", "support_conversion": "none", "defense_points": "equal", "coast_required": "when-ambiguous", "misspelling": "ask", "single_space_retreat": "plain", "retreat_to_convoy_origin": "yes", "ownership_season": "autumn", "adjustment_season": "autumn", "decline_ownership": "no", "builds_waivable": "yes", "voluntary_removal": "no", "default_removal": "owned-distance-fleet-alpha", "civil_disorder": "hold-only", "elimination": "none-stated", "victory_measure": "18-centers", "draw_rule": "unanimous", "short_game": null, "press_phases": "diplomacy-only", "country_assignment": "lot", "turn_word": "half-year", "update_type": "scheduled-or-on-completion", "players": "7"}, "movement_length": 259200.0, "retreat_length": 86400.0, "adjustment_length": 86400.0, "zone": "UTC"}','F1901M','{"phase": "F1901M", "units": {"AUSTRIA": ["A BUD", "A GAL", "F TRI"], "ENGLAND": ["F EDI", "A LVP", "F NTH"], "FRANCE": ["F BRE", "A BUR", "A MAR"], "GERMANY": ["A BER", "F KIE", "A RUH"], "ITALY": ["F NAP", "A ROM", "A TYR"], "RUSSIA": ["F SEV", "F STP/SC", "A UKR", "A WAR"], "TURKEY": ["F ANK", "A BUL", "A SMY"]}, "dislodged": {}, "centers": {"TURKEY": ["ANK", "CON", "SMY"], "GERMANY": ["BER", "KIE", "MUN"], "FRANCE": ["BRE", "MAR", "PAR"], "AUSTRIA": ["BUD", "TRI", "VIE"], "ENGLAND": ["EDI", "LON", "LVP"], "RUSSIA": ["MOS", "SEV", "STP", "WAR"], "ITALY": ["NAP", "ROM", "VEN"]}, "contested": []}','2026-11-24 12:01:15.000000','2026-11-27 12:01:15.000000',NULL,'2026-11-27 12:01:15.000000',NULL);
CREATE TABLE history (
	game VARCHAR(40) NOT NULL, 
	place INTEGER NOT NULL, 
	phase VARCHAR(6) NOT NULL, 
	closed_at DATETIME NOT NULL, 
	record TEXT NOT NULL, 
	CONSTRAINT pk_history PRIMARY KEY (game, place), 
	CONSTRAINT fk_history_game FOREIGN KEY(game) REFERENCES game (name)
);
INSERT INTO "history" VALUES('ardennes',0,'S1901M','2026-11-24 12:01:15.000000','{"game": "ardennes", "input": {"id": "ardennes S1901M", "phase": "S1901M", "units": {"AUSTRIA": ["A BUD", "F TRI", "A VIE"], "ENGLAND": ["F EDI", "F LON", "A LVP"], "FRANCE": ["F BRE", "A MAR", "A PAR"], "GERMANY": ["A BER", "F KIE", "A MUN"], "ITALY": ["F NAP", "A ROM", "A VEN"], "RUSSIA": ["A MOS", "F SEV", "F STP/SC", "A WAR"], "TURKEY": ["F ANK", "A CON", "A SMY"]}, "dislodged": {}, "centers": {"TURKEY": ["ANK", "CON", "SMY"], "GERMANY": ["BER", "KIE", "MUN"], "FRANCE": ["BRE", "MAR", "PAR"], "AUSTRIA": ["BUD", "TRI", "VIE"], "ENGLAND": ["EDI", "LON", "LVP"], "RUSSIA": ["MOS", "SEV", "STP", "WAR"], "ITALY": ["NAP", "ROM", "VEN"]}, "contested": [], "orders": {"AUSTRIA": ["A VIE - GAL"], "ENGLAND": ["F LON - NTH"], "FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - RUH"], "ITALY": ["A VEN - TYR"], "RUSSIA": ["A MOS - UKR"], "TURKEY": ["A CON - BUL"]}, "rules": "standard"}, "output": {"id": "ardennes S1901M", "phase": "S1901M", "next": "F1901M", "units": {"AUSTRIA": ["A BUD", "A GAL", "F TRI"], "ENGLAND": ["F EDI", "A LVP", "F NTH"], "FRANCE": ["F BRE", "A BUR", "A MAR"], "GERMANY": ["A BER", "F KIE", "A RUH"], "ITALY": ["F NAP", "A ROM", "A TYR"], "RUSSIA": ["F SEV", "F STP/SC", "A UKR", "A WAR"], "TURKEY": ["F ANK", "A BUL", "A SMY"]}, "dislodged": {}, "centers": {"TURKEY": ["ANK", "CON", "SMY"], "GERMANY": ["BER", "KIE", "MUN"], "FRANCE": ["BRE", "MAR", "PAR"], "AUSTRIA": ["BUD", "TRI", "VIE"], "ENGLAND": ["EDI", "LON", "LVP"], "RUSSIA": ["MOS", "SEV", "STP", "WAR"], "ITALY": ["NAP", "ROM", "VEN"]}, "contested": [], "results": {"A VIE": [], "F LON": [], "A PAR": [], "A MUN": [], "A VEN": [], "A MOS": [], "A CON": [], "A BUD": [], "F TRI": [], "F EDI": [], "A LVP": [], "F BRE": [], "A MAR": [], "A BER": [], "F KIE": [], "F NAP": [], "A ROM": [], "F SEV": [], "F STP/SC": [], "A WAR": [], "F ANK": [], "A SMY": []}, "why": {}, "orders": [{"power": "AUSTRIA", "order": "A VIE - GAL", "results": [], "why": ""}, {"power": "ENGLAND", "order": "F LON - NTH", "results": [], "why": ""}, {"power": "FRANCE", "order": "A PAR - BUR", "results": [], "why": ""}, {"power": "GERMANY", "order": "A MUN - RUH", "results": [], "why": ""}, {"power": "ITALY", "order": "A VEN - TYR", "results": [], "why": ""}, {"power": "RUSSIA", "order": "A MOS - UKR", "results": [], "why": ""}, {"power": "TURKEY", "order": "A CON - BUL", "results": [], "why": ""}], "rules_revision": 1}, "next": "F1901M", "deadline": "2026-11-27T12:01:15+00:00"}');
CREATE TABLE inbox (
	id INTEGER NOT NULL, 
	identity VARCHAR(64) NOT NULL, 
	message_id VARCHAR(255), 
	state VARCHAR(12) NOT NULL, 
	source VARCHAR(40) NOT NULL, 
	received_at DATETIME NOT NULL, 
	envelope_from TEXT, 
	envelope_to TEXT NOT NULL, 
	content BLOB NOT NULL, 
	attempts INTEGER NOT NULL, 
	confirmed BOOLEAN NOT NULL, 
	kind VARCHAR(12), 
	reason TEXT, 
	person INTEGER, 
	game VARCHAR(40), 
	CONSTRAINT pk_inbox PRIMARY KEY (id), 
	CONSTRAINT uq_inbox_identity UNIQUE (identity)
);
INSERT INTO "inbox" VALUES(1,'320c4e746ba334775f46641d3be76e2758495a141f1c3e92a7cef05d8977e398','<1@players.test>','done','test','2026-11-24 12:00:05.000000','gil@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A2067696C40706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3140706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A43524541544520617264656E6E65730A646561646C696E653A203320646179730A',1,0,'person',NULL,1,'ardennes');
INSERT INTO "inbox" VALUES(2,'ae1fc7fa741d4ae950971b4841eddd93a39551f08014925bd8875fa10ffb73a1','<2@players.test>','done','test','2026-11-24 12:00:10.000000','austria@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206175737472696140706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3240706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4A4F494E20617264656E6E657320415320415553545249410A',1,0,'person',NULL,2,'ardennes');
INSERT INTO "inbox" VALUES(3,'b39a955515650f634a01d851116b73fc932f272681dd254a444664d67725e673','<3@players.test>','done','test','2026-11-24 12:00:15.000000','england@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A20656E676C616E6440706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3340706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4A4F494E20617264656E6E657320415320454E474C414E440A',1,0,'person',NULL,3,'ardennes');
INSERT INTO "inbox" VALUES(4,'26688b553e9d19a66ad6f50b8b892bafc3174fa26e6b5dbf232bb343ce007fd8','<4@players.test>','done','test','2026-11-24 12:00:20.000000','france@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206672616E636540706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3440706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4A4F494E20617264656E6E6573204153204652414E43450A',1,0,'person',NULL,4,'ardennes');
INSERT INTO "inbox" VALUES(5,'cbd50b05edcf196a17d34cf850005f29198bcf9330e62f4a28a4a141ca5e5577','<5@players.test>','done','test','2026-11-24 12:00:25.000000','germany@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206765726D616E7940706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3540706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4A4F494E20617264656E6E6573204153204745524D414E590A',1,0,'person',NULL,5,'ardennes');
INSERT INTO "inbox" VALUES(6,'d340c37778842877327c1cf09b293be093978382eaf10fa1366b34a3b1006fbd','<6@players.test>','done','test','2026-11-24 12:00:30.000000','italy@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206974616C7940706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3640706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4A4F494E20617264656E6E6573204153204954414C590A',1,0,'person',NULL,6,'ardennes');
INSERT INTO "inbox" VALUES(7,'8bf25ccf2dfede6aa2f668c52380a65714c1dcf630d5291383dfe5b0aaead09f','<7@players.test>','done','test','2026-11-24 12:00:35.000000','russia@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A2072757373696140706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3740706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4A4F494E20617264656E6E6573204153205255535349410A',1,0,'person',NULL,7,'ardennes');
INSERT INTO "inbox" VALUES(8,'03cbeec6764ff055b010ee41823159a2d1727ad6ac5123144aa5d25e19ab3eb3','<8@players.test>','done','test','2026-11-24 12:00:40.000000','turkey@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A207475726B657940706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3840706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4A4F494E20617264656E6E6573204153205455524B45590A',1,0,'person',NULL,8,'ardennes');
INSERT INTO "inbox" VALUES(9,'81968a493f0855b8eac69b6fd8f7474f8eb8b5b4d2cfcee536535054734cbaba','<9@players.test>','done','test','2026-11-24 12:00:45.000000','austria@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206175737472696140706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C3940706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4120564945202D2047414C0A52454144590A',1,0,'person',NULL,2,'ardennes');
INSERT INTO "inbox" VALUES(10,'911e1fe6d828d09f14bc93589e6921e1eb8de9dcf120a4c9951c9cb9e78fc277','<10@players.test>','done','test','2026-11-24 12:00:50.000000','england@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A20656E676C616E6440706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C313040706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A46204C4F4E202D204E54480A52454144590A',1,0,'person',NULL,3,'ardennes');
INSERT INTO "inbox" VALUES(11,'6068d8d2930ca64e84a27d269edd275d1a8f3708787557e1d9577c61a66d6bbc','<11@players.test>','done','test','2026-11-24 12:00:55.000000','france@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206672616E636540706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C313140706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4120504152202D204255520A52454144590A',1,0,'person',NULL,4,'ardennes');
INSERT INTO "inbox" VALUES(12,'b8d2154f48f6ded88d166f4c48245f2223e8168d0c8d2b69eea48fe9b1dd3259','<12@players.test>','done','test','2026-11-24 12:01:00.000000','germany@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206765726D616E7940706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C313240706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A41204D554E202D205255480A52454144590A',1,0,'person',NULL,5,'ardennes');
INSERT INTO "inbox" VALUES(13,'b7eddeb508e44493b99ac67a52d17e4d5883df3d69642b99c5a84eba13fcfa86','<13@players.test>','done','test','2026-11-24 12:01:05.000000','italy@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206974616C7940706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C313340706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A412056454E202D205459520A52454144590A',1,0,'person',NULL,6,'ardennes');
INSERT INTO "inbox" VALUES(14,'cf086233af84836f121b9cb23d76aeec68b52914e2c0c6ab613fc7fdccdbf99a','<14@players.test>','done','test','2026-11-24 12:01:10.000000','russia@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A2072757373696140706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C313440706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A41204D4F53202D20554B520A52454144590A',1,0,'person',NULL,7,'ardennes');
INSERT INTO "inbox" VALUES(15,'d9d765529735000573f8764784adb9d0f3b8148047b52dc00229f392c9b768e0','<15@players.test>','done','test','2026-11-24 12:01:15.000000','turkey@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A207475726B657940706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C313540706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4120434F4E202D2042554C0A52454144590A',1,0,'person',NULL,8,'ardennes');
INSERT INTO "inbox" VALUES(16,'78d0ae1ddc16bb891efa84456c442c498ff25522080a21db6f64a11d1b1964cc','<16@players.test>','done','test','2026-11-24 14:01:20.000000','france@players.test','["judge@localhost"]',X'41757468656E7469636174696F6E2D526573756C74733A206D782E746573743B20646D6172633D70617373206865616465722E66726F6D3D706C61796572732E746573740A46726F6D3A206672616E636540706C61796572732E746573740A546F3A206A75646765406C6F63616C686F73740A5375626A6563743A2067616D650A4D6573736167652D49443A203C313640706C61796572732E746573743E0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740A4D494D452D56657273696F6E3A20312E300A0A4120425552202D204D554E0A',1,0,'person',NULL,4,'ardennes');
CREATE TABLE member (
	game VARCHAR(40) NOT NULL, 
	person INTEGER NOT NULL, 
	role VARCHAR(10) NOT NULL, 
	place INTEGER NOT NULL, 
	wish VARCHAR(20), 
	CONSTRAINT pk_member PRIMARY KEY (game, person, role), 
	CONSTRAINT fk_member_game FOREIGN KEY(game) REFERENCES game (name), 
	CONSTRAINT fk_member_person FOREIGN KEY(person) REFERENCES person (id)
);
INSERT INTO "member" VALUES('ardennes',1,'master',0,NULL);
INSERT INTO "member" VALUES('ardennes',2,'player',1,NULL);
INSERT INTO "member" VALUES('ardennes',3,'player',2,NULL);
INSERT INTO "member" VALUES('ardennes',4,'player',3,NULL);
INSERT INTO "member" VALUES('ardennes',5,'player',4,NULL);
INSERT INTO "member" VALUES('ardennes',6,'player',5,NULL);
INSERT INTO "member" VALUES('ardennes',7,'player',6,NULL);
INSERT INTO "member" VALUES('ardennes',8,'player',7,NULL);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	message_id VARCHAR(255) NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	due DATETIME NOT NULL, 
	attempts INTEGER NOT NULL, 
	reason TEXT, 
	person INTEGER, 
	game VARCHAR(40), 
	phase VARCHAR(6), 
	power VARCHAR(20), 
	inbox INTEGER, 
	kind VARCHAR(10) NOT NULL, 
	recipient VARCHAR(320) NOT NULL, 
	queued_at DATETIME NOT NULL, 
	letter TEXT NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT uq_outbox_key UNIQUE ("key"), 
	CONSTRAINT uq_outbox_message_id UNIQUE (message_id)
);
INSERT INTO "outbox" VALUES(32,'report ardennes after S1901M 4','<it4wbhpbaxtrjiwuze5c@localhost>','sent','2026-11-24 14:06:20.000000',0,NULL,4,'ardennes','F1901M','FRANCE',NULL,'report','france@players.test','2026-11-24 12:01:15.000000','{"date": "2026-11-24T12:01:15+00:00", "sender": "judge@localhost", "reply_to": "judge+ardennes.coo4wmu3vkgn6nyy4nar@localhost", "subject": "[ardennes] Fall 1901", "html": "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"></head>\n<body style=\"margin:0;padding:16px;font:16px/1.5 system-ui,-apple-system,''Hiragino Sans'',''Noto Sans CJK JP'',sans-serif;color:#1c1c1e;background:#ffffff;max-width:40em\">\n<p style=\"font-size:18px;margin:0 0 8px\">\nThe results of Spring 1901. Now open: Fall 1901.<br>All 7 orders succeeded.\n</p>\n<p style=\"margin:4px 0\"><b>Deadline: Fri 27 Nov 2026, 12:01 UTC</b> (3 days left) SET ZONE Europe/Paris, say, shows the time on your clock.</p>\n<div style=\"background:#eef4ff;border-left:4px solid #2f6fde;padding:10px 12px;margin:12px 0\"><b>Your orders – France</b><br>\nReply to this mail and complete these lines; lines left as they are do no harm. The last word per unit counts.\n<div style=\"margin-top:8px\">\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F BRE -</code></div>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A BUR -</code></div>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A MAR -</code></div>\n</div>\n</div><h2 style=\"font-size:18px;margin:24px 0 6px;border-bottom:1px solid #d1d1d6\">Orders and what became of them</h2>\n<p style=\"margin:12px 0 2px;font-weight:600\">Austria</p>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A BUD H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F TRI H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A VIE - GAL</code> <span style=\"color:#1d7a35\">✓</span></div>\n\n<p style=\"margin:12px 0 2px;font-weight:600\">England</p>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F EDI H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F LON - NTH</code> <span style=\"color:#1d7a35\">✓</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A LVP H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<p style=\"margin:12px 0 2px;font-weight:600\">France</p>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F BRE H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A MAR H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A PAR - BUR</code> <span style=\"color:#1d7a35\">✓</span></div>\n\n<p style=\"margin:12px 0 2px;font-weight:600\">Germany</p>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A BER H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F KIE H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A MUN - RUH</code> <span style=\"color:#1d7a35\">✓</span></div>\n\n<p style=\"margin:12px 0 2px;font-weight:600\">Italy</p>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F NAP H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A ROM H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A VEN - TYR</code> <span style=\"color:#1d7a35\">✓</span></div>\n\n<p style=\"margin:12px 0 2px;font-weight:600\">Russia</p>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A MOS - UKR</code> <span style=\"color:#1d7a35\">✓</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F SEV H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F STP/SC H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A WAR H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<p style=\"margin:12px 0 2px;font-weight:600\">Turkey</p>\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">F ANK H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A CON - BUL</code> <span style=\"color:#1d7a35\">✓</span></div>\n\n<div><code style=\"font:15px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap\">A SMY H</code> <span style=\"color:#5a5a60\">(no order, held)</span></div>\n\n\n\n<h2 style=\"font-size:18px;margin:24px 0 6px;border-bottom:1px solid #d1d1d6\">Where everybody stands</h2>\n<table style=\"border-collapse:collapse;width:100%\">\n<tr style=\"border-bottom:1px solid #e5e5ea;vertical-align:top\"><td style=\"padding:4px 8px 4px 0\"><b style=\"white-space:nowrap\">Austria</b><br><span style=\"color:#5a5a60;font-size:14px\">austria</span></td>\n<td style=\"padding:4px 8px 4px 0;text-align:right;white-space:nowrap\"><b>3</b></td>\n<td style=\"padding:4px 0\"><span style=\"white-space:nowrap\">A BUD,</span> <span style=\"white-space:nowrap\">A GAL,</span> <span style=\"white-space:nowrap\">F TRI</span> <br><span style=\"color:#5a5a60;font-size:14px\">Supply centers: BUD TRI VIE</span></td></tr>\n<tr style=\"border-bottom:1px solid #e5e5ea;vertical-align:top\"><td style=\"padding:4px 8px 4px 0\"><b style=\"white-space:nowrap\">England</b><br><span style=\"color:#5a5a60;font-size:14px\">england</span></td>\n<td style=\"padding:4px 8px 4px 0;text-align:right;white-space:nowrap\"><b>3</b></td>\n<td style=\"padding:4px 0\"><span style=\"white-space:nowrap\">F EDI,</span> <span style=\"white-space:nowrap\">A LVP,</span> <span style=\"white-space:nowrap\">F NTH</span> <br><span style=\"color:#5a5a60;font-size:14px\">Supply centers: EDI LON LVP</span></td></tr>\n<tr style=\"border-bottom:1px solid #e5e5ea;vertical-align:top\"><td style=\"padding:4px 8px 4px 0\"><b style=\"white-space:nowrap\">France</b><br><span style=\"color:#5a5a60;font-size:14px\">france</span></td>\n<td style=\"padding:4px 8px 4px 0;text-align:right;white-space:nowrap\"><b>3</b></td>\n<td style=\"padding:4px 0\"><span style=\"white-space:nowrap\">F BRE,</span> <span style=\"white-space:nowrap\">A BUR,</span> <span style=\"white-space:nowrap\">A MAR</span> <br><span style=\"color:#5a5a60;font-size:14px\">Supply centers: BRE MAR PAR</span></td></tr>\n<tr style=\"border-bottom:1px solid #e5e5ea;vertical-align:top\"><td style=\"padding:4px 8px 4px 0\"><b style=\"white-space:nowrap\">Germany</b><br><span style=\"color:#5a5a60;font-size:14px\">germany</span></td>\n<td style=\"padding:4px 8px 4px 0;text-align:right;white-space:nowrap\"><b>3</b></td>\n<td style=\"padding:4px 0\"><span style=\"white-space:nowrap\">A BER,</span> <span style=\"white-space:nowrap\">F KIE,</span> <span style=\"white-space:nowrap\">A RUH</span> <br><span style=\"color:#5a5a60;font-size:14px\">Supply centers: BER KIE MUN</span></td></tr>\n<tr style=\"border-bottom:1px solid #e5e5ea;vertical-align:top\"><td style=\"padding:4px 8px 4px 0\"><b style=\"white-space:nowrap\">Italy</b><br><span style=\"color:#5a5a60;font-size:14px\">italy</span></td>\n<td style=\"padding:4px 8px 4px 0;text-align:right;white-space:nowrap\"><b>3</b></td>\n<td style=\"padding:4px 0\"><span style=\"white-space:nowrap\">F NAP,</span> <span style=\"white-space:nowrap\">A ROM,</span> <span style=\"white-space:nowrap\">A TYR</span> <br><span style=\"color:#5a5a60;font-size:14px\">Supply centers: NAP ROM VEN</span></td></tr>\n<tr style=\"border-bottom:1px solid #e5e5ea;vertical-align:top\"><td style=\"padding:4px 8px 4px 0\"><b style=\"white-space:nowrap\">Russia</b><br><span style=\"color:#5a5a60;font-size:14px\">russia</span></td>\n<td style=\"padding:4px 8px 4px 0;text-align:right;white-space:nowrap\"><b>4</b></td>\n<td style=\"padding:4px 0\"><span style=\"white-space:nowrap\">F SEV,</span> <span style=\"white-space:nowrap\">F STP/SC,</span> <span style=\"white-space:nowrap\">A UKR,</span> <span style=\"white-space:nowrap\">A WAR</span> <br><span style=\"color:#5a5a60;font-size:14px\">Supply centers: MOS SEV STP WAR</span></td></tr>\n<tr style=\"border-bottom:1px solid #e5e5ea;vertical-align:top\"><td style=\"padding:4px 8px 4px 0\"><b style=\"white-space:nowrap\">Turkey</b><br><span style=\"color:#5a5a60;font-size:14px\">turkey</span></td>\n<td style=\"padding:4px 8px 4px 0;text-align:right;white-space:nowrap\"><b>3</b></td>\n<td style=\"padding:4px 0\"><span style=\"white-space:nowrap\">F ANK,</span> <span style=\"white-space:nowrap\">A BUL,</span> <span style=\"white-space:nowrap\">A SMY</span> <br><span style=\"color:#5a5a60;font-size:14px\">Supply centers: ANK CON SMY</span></td></tr>\n</table>\n\n<p style=\"margin:4px 0;color:#5a5a60;font-size:14px\">The attached file holds all of this for programs; `judge adjudicate` gives the same result.</p>\n</body></html>\n", "in_reply_to": null, "references": ["<zdr5pnppemxjskcdubsw@localhost>"], "list_id": "ardennes.localhost", "attachments": [["ardennes-S1901M.json", "application/json", "ewogImdhbWUiOiAiYXJkZW5uZXMiLAogImlucHV0IjogewogICJpZCI6ICJhcmRlbm5lcyBTMTkwMU0iLAogICJwaGFzZSI6ICJTMTkwMU0iLAogICJ1bml0cyI6IHsKICAgIkFVU1RSSUEiOiBbCiAgICAiQSBCVUQiLAogICAgIkYgVFJJIiwKICAgICJBIFZJRSIKICAgXSwKICAgIkVOR0xBTkQiOiBbCiAgICAiRiBFREkiLAogICAgIkYgTE9OIiwKICAgICJBIExWUCIKICAgXSwKICAgIkZSQU5DRSI6IFsKICAgICJGIEJSRSIsCiAgICAiQSBNQVIiLAogICAgIkEgUEFSIgogICBdLAogICAiR0VSTUFOWSI6IFsKICAgICJBIEJFUiIsCiAgICAiRiBLSUUiLAogICAgIkEgTVVOIgogICBdLAogICAiSVRBTFkiOiBbCiAgICAiRiBOQVAiLAogICAgIkEgUk9NIiwKICAgICJBIFZFTiIKICAgXSwKICAgIlJVU1NJQSI6IFsKICAgICJBIE1PUyIsCiAgICAiRiBTRVYiLAogICAgIkYgU1RQL1NDIiwKICAgICJBIFdBUiIKICAgXSwKICAgIlRVUktFWSI6IFsKICAgICJGIEFOSyIsCiAgICAiQSBDT04iLAogICAgIkEgU01ZIgogICBdCiAgfSwKICAiZGlzbG9kZ2VkIjoge30sCiAgImNlbnRlcnMiOiB7CiAgICJUVVJLRVkiOiBbCiAgICAiQU5LIiwKICAgICJDT04iLAogICAgIlNNWSIKICAgXSwKICAgIkdFUk1BTlkiOiBbCiAgICAiQkVSIiwKICAgICJLSUUiLAogICAgIk1VTiIKICAgXSwKICAgIkZSQU5DRSI6IFsKICAgICJCUkUiLAogICAgIk1BUiIsCiAgICAiUEFSIgogICBdLAogICAiQVVTVFJJQSI6IFsKICAgICJCVUQiLAogICAgIlRSSSIsCiAgICAiVklFIgogICBdLAogICAiRU5HTEFORCI6IFsKICAgICJFREkiLAogICAgIkxPTiIsCiAgICAiTFZQIgogICBdLAogICAiUlVTU0lBIjogWwogICAgIk1PUyIsCiAgICAiU0VWIiwKICAgICJTVFAiLAogICAgIldBUiIKICAgXSwKICAgIklUQUxZIjogWwogICAgIk5BUCIsCiAgICAiUk9NIiwKICAgICJWRU4iCiAgIF0KICB9LAogICJjb250ZXN0ZWQiOiBbXSwKICAib3JkZXJzIjogewogICAiQVVTVFJJQSI6IFsKICAgICJBIFZJRSAtIEdBTCIKICAgXSwKICAgIkVOR0xBTkQiOiBbCiAgICAiRiBMT04gLSBOVEgiCiAgIF0sCiAgICJGUkFOQ0UiOiBbCiAgICAiQSBQQVIgLSBCVVIiCiAgIF0sCiAgICJHRVJNQU5ZIjogWwogICAgIkEgTVVOIC0gUlVIIgogICBdLAogICAiSVRBTFkiOiBbCiAgICAiQSBWRU4gLSBUWVIiCiAgIF0sCiAgICJSVVNTSUEiOiBbCiAgICAiQSBNT1MgLSBVS1IiCiAgIF0sCiAgICJUVVJLRVkiOiBbCiAgICAiQSBDT04gLSBCVUwiCiAgIF0KICB9LAogICJydWxlcyI6ICJzdGFuZGFyZCIKIH0sCiAib3V0cHV0IjogewogICJpZCI6ICJhcmRlbm5lcyBTMTkwMU0iLAogICJwaGFzZSI6ICJTMTkwMU0iLAogICJuZXh0IjogIkYxOTAxTSIsCiAgInVuaXRzIjogewogICAiQVVTVFJJQSI6IFsKICAgICJBIEJVRCIsCiAgICAiQSBHQUwiLAogICAgIkYgVFJJIgogICBdLAogICAiRU5HTEFORCI6IFsKICAgICJGIEVESSIsCiAgICAiQSBMVlAiLAogICAgIkYgTlRIIgogICBdLAogICAiRlJBTkNFIjogWwogICAgIkYgQlJFIiwKICAgICJBIEJVUiIsCiAgICAiQSBNQVIiCiAgIF0sCiAgICJHRVJNQU5ZIjogWwogICAgIkEgQkVSIiwKICAgICJGIEtJRSIsCiAgICAiQSBSVUgiCiAgIF0sCiAgICJJVEFMWSI6IFsKICAgICJGIE5BUCIsCiAgICAiQSBST00iLAogICAgIkEgVFlSIgogICBdLAogICAiUlVTU0lBIjogWwogICAgIkYgU0VWIiwKICAgICJGIFNUUC9TQyIsCiAgICAiQSBVS1IiLAogICAgIkEgV0FSIgogICBdLAogICAiVFVSS0VZIjogWwogICAgIkYgQU5LIiwKICAgICJBIEJVTCIsCiAgICAiQSBTTVkiCiAgIF0KICB9LAogICJkaXNsb2RnZWQiOiB7fSwKICAiY2VudGVycyI6IHsKICAgIlRVUktFWSI6IFsKICAgICJBTksiLAogICAgIkNPTiIsCiAgICAiU01ZIgogICBdLAogICAiR0VSTUFOWSI6IFsKICAgICJCRVIiLAogICAgIktJRSIsCiAgICAiTVVOIgogICBdLAogICAiRlJBTkNFIjogWwogICAgIkJSRSIsCiAgICAiTUFSIiwKICAgICJQQVIiCiAgIF0sCiAgICJBVVNUUklBIjogWwogICAgIkJVRCIsCiAgICAiVFJJIiwKICAgICJWSUUiCiAgIF0sCiAgICJFTkdMQU5EIjogWwogICAgIkVESSIsCiAgICAiTE9OIiwKICAgICJMVlAiCiAgIF0sCiAgICJSVVNTSUEiOiBbCiAgICAiTU9TIiwKICAgICJTRVYiLAogICAgIlNUUCIsCiAgICAiV0FSIgogICBdLAogICAiSVRBTFkiOiBbCiAgICAiTkFQIiwKICAgICJST00iLAogICAgIlZFTiIKICAgXQogIH0sCiAgImNvbnRlc3RlZCI6IFtdLAogICJyZXN1bHRzIjogewogICAiQSBWSUUiOiBbXSwKICAgIkYgTE9OIjogW10sCiAgICJBIFBBUiI6IFtdLAogICAiQSBNVU4iOiBbXSwKICAgIkEgVkVOIjogW10sCiAgICJBIE1PUyI6IFtdLAogICAiQSBDT04iOiBbXSwKICAgIkEgQlVEIjogW10sCiAgICJGIFRSSSI6IFtdLAogICAiRiBFREkiOiBbXSwKICAgIkEgTFZQIjogW10sCiAgICJGIEJSRSI6IFtdLAogICAiQSBNQVIiOiBbXSwKICAgIkEgQkVSIjogW10sCiAgICJGIEtJRSI6IFtdLAogICAiRiBOQVAiOiBbXSwKICAgIkEgUk9NIjogW10sCiAgICJGIFNFViI6IFtdLAogICAiRiBTVFAvU0MiOiBbXSwKICAgIkEgV0FSIjogW10sCiAgICJGIEFOSyI6IFtdLAogICAiQSBTTVkiOiBbXQogIH0sCiAgIndoeSI6IHt9LAogICJvcmRlcnMiOiBbCiAgIHsKICAgICJwb3dlciI6ICJBVVNUUklBIiwKICAgICJvcmRlciI6ICJBIFZJRSAtIEdBTCIsCiAgICAicmVzdWx0cyI6IFtdLAogICAgIndoeSI6ICIiCiAgIH0sCiAgIHsKICAgICJwb3dlciI6ICJFTkdMQU5EIiwKICAgICJvcmRlciI6ICJGIExPTiAtIE5USCIsCiAgICAicmVzdWx0cyI6IFtdLAogICAgIndoeSI6ICIiCiAgIH0sCiAgIHsKICAgICJwb3dlciI6ICJGUkFOQ0UiLAogICAgIm9yZGVyIjogIkEgUEFSIC0gQlVSIiwKICAgICJyZXN1bHRzIjogW10sCiAgICAid2h5IjogIiIKICAgfSwKICAgewogICAgInBvd2VyIjogIkdFUk1BTlkiLAogICAgIm9yZGVyIjogIkEgTVVOIC0gUlVIIiwKICAgICJyZXN1bHRzIjogW10sCiAgICAid2h5IjogIiIKICAgfSwKICAgewogICAgInBvd2VyIjogIklUQUxZIiwKICAgICJvcmRlciI6ICJBIFZFTiAtIFRZUiIsCiAgICAicmVzdWx0cyI6IFtdLAogICAgIndoeSI6ICIiCiAgIH0sCiAgIHsKICAgICJwb3dlciI6ICJSVVNTSUEiLAogICAgIm9yZGVyIjogIkEgTU9TIC0gVUtSIiwKICAgICJyZXN1bHRzIjogW10sCiAgICAid2h5IjogIiIKICAgfSwKICAgewogICAgInBvd2VyIjogIlRVUktFWSIsCiAgICAib3JkZXIiOiAiQSBDT04gLSBCVUwiLAogICAgInJlc3VsdHMiOiBbXSwKICAgICJ3aHkiOiAiIgogICB9CiAgXSwKICAicnVsZXNfcmV2aXNpb24iOiAxCiB9LAogIm5leHQiOiAiRjE5MDFNIiwKICJkZWFkbGluZSI6ICIyMDI2LTExLTI3VDEyOjAxOjE1KzAwOjAwIgp9"]]}','The results of Spring 1901. Now open: Fall 1901.
All 7 orders succeeded.
Deadline: Fri 27 Nov 2026, 12:01 UTC
(3 days left) SET ZONE Europe/Paris, say, shows the time on your clock.

Your orders – France
Reply to this mail and complete these lines; lines left as they are do
no harm. The last word per unit counts.

F BRE -
A BUR -
A MAR -

Orders and what became of them

Austria
  A BUD H  (no order, held)
  F TRI H  (no order, held)
  A VIE - GAL  ✓

England
  F EDI H  (no order, held)
  F LON - NTH  ✓
  A LVP H  (no order, held)

France
  F BRE H  (no order, held)
  A MAR H  (no order, held)
  A PAR - BUR  ✓

Germany
  A BER H  (no order, held)
  F KIE H  (no order, held)
  A MUN - RUH  ✓

Italy
  F NAP H  (no order, held)
  A ROM H  (no order, held)
  A VEN - TYR  ✓

Russia
  A MOS - UKR  ✓
  F SEV H  (no order, held)
  F STP/SC H  (no order, held)
  A WAR H  (no order, held)

Turkey
  F ANK H  (no order, held)
  A CON - BUL  ✓
  A SMY H  (no order, held)

Where everybody stands

  Austria (austria)
    A BUD, A GAL, F TRI
  England (england)
    F EDI, A LVP, F NTH
  France (france)
    F BRE, A BUR, A MAR
  Germany (germany)
    A BER, F KIE, A RUH
  Italy (italy)
    F NAP, A ROM, A TYR
  Russia (russia)
    F SEV, F STP/SC, A UKR, A WAR
  Turkey (turkey)
    F ANK, A BUL, A SMY

Supply centers

  Austria 3
    BUD TRI VIE
  England 3
    EDI LON LVP
  France 3
    BRE MAR PAR
  Germany 3
    BER KIE MUN
  Italy 3
    NAP ROM VEN
  Russia 4
    MOS SEV STP WAR
  Turkey 3
    ANK CON SMY

The attached file holds all of this for programs; `judge adjudicate`
gives the same result.
');
CREATE TABLE person (
	id INTEGER NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	language VARCHAR(2) NOT NULL, 
	zone VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_person PRIMARY KEY (id), 
	CONSTRAINT uq_person_address UNIQUE (address)
);
INSERT INTO "person" VALUES(1,'gil@players.test','gil','en','');
INSERT INTO "person" VALUES(2,'austria@players.test','austria','en','');
INSERT INTO "person" VALUES(3,'england@players.test','england','en','');
INSERT INTO "person" VALUES(4,'france@players.test','france','en','');
INSERT INTO "person" VALUES(5,'germany@players.test','germany','en','');
INSERT INTO "person" VALUES(6,'italy@players.test','italy','en','');
INSERT INTO "person" VALUES(7,'russia@players.test','russia','en','');
INSERT INTO "person" VALUES(8,'turkey@players.test','turkey','en','');
CREATE TABLE seat (
	game VARCHAR(40) NOT NULL, 
	power VARCHAR(20) NOT NULL, 
	place INTEGER NOT NULL, 
	holder INTEGER, 
	serial INTEGER NOT NULL, 
	ready BOOLEAN NOT NULL, 
	CONSTRAINT pk_seat PRIMARY KEY (game, power), 
	CONSTRAINT fk_seat_game FOREIGN KEY(game) REFERENCES game (name), 
	CONSTRAINT fk_seat_holder FOREIGN KEY(holder) REFERENCES person (id)
);
INSERT INTO "seat" VALUES('ardennes','AUSTRIA',0,2,1,0);
INSERT INTO "seat" VALUES('ardennes','ENGLAND',1,3,1,0);
INSERT INTO "seat" VALUES('ardennes','FRANCE',2,4,1,0);
INSERT INTO "seat" VALUES('ardennes','GERMANY',3,5,1,0);
INSERT INTO "seat" VALUES('ardennes','ITALY',4,6,1,0);
INSERT INTO "seat" VALUES('ardennes','RUSSIA',5,7,1,0);
INSERT INTO "seat" VALUES('ardennes','TURKEY',6,8,1,0);
CREATE TABLE secret (
	name VARCHAR(40) NOT NULL, 
	value BLOB NOT NULL, 
	CONSTRAINT pk_secret PRIMARY KEY (name)
);
INSERT INTO "secret" VALUES('tokens',X'28E09361CB4A8F2A5AA5FED9506A103B97210EA11EC67EAC1FDEFF0455B24C18');
CREATE INDEX ix_inbox_state_id ON inbox (state, id);
CREATE INDEX ix_outbox_game_person_kind ON outbox (game, person, kind);
CREATE INDEX ix_outbox_inbox ON outbox (inbox);
CREATE INDEX ix_outbox_recipient_queued_at ON outbox (recipient, queued_at);
CREATE INDEX ix_outbox_state_due ON outbox (state, due);
CREATE INDEX ix_confirmation_address ON confirmation (address);
CREATE INDEX ix_game_due ON game (due);
CREATE INDEX ix_game_state ON game (state);
CREATE INDEX ix_member_person ON member (person);
COMMIT;
