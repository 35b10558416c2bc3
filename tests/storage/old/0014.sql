BEGIN TRANSACTION;
CREATE TABLE amendments (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	space TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_amendments PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_amendments_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE archivals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	archived BOOLEAN NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_archivals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_archivals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE claims (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	better TEXT NOT NULL, 
	worse TEXT NOT NULL, 
	context TEXT NOT NULL, 
	better_proposal TEXT, 
	worse_proposal TEXT, 
	CONSTRAINT pk_claims PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_claims_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_claims_study_id_better_proposal FOREIGN KEY(study_id, better_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_claims_study_id_worse_proposal FOREIGN KEY(study_id, worse_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
CREATE TABLE comments (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	fact TEXT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_comments PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_comments_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_comments_study_id_fact FOREIGN KEY(study_id, fact) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
CREATE TABLE comparisons (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	winner TEXT NOT NULL, 
	loser TEXT NOT NULL, 
	tie BOOLEAN NOT NULL, 
	context TEXT NOT NULL, 
	winner_proposal TEXT, 
	loser_proposal TEXT, 
	CONSTRAINT pk_comparisons PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_comparisons_study_id_loser_proposal FOREIGN KEY(study_id, loser_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_comparisons_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_comparisons_study_id_winner_proposal FOREIGN KEY(study_id, winner_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "comparisons" VALUES(1,11,'{"lifting": 38.50704755017371, "mode": "stiff"}','{"lifting": 20.0, "mode": "soft"}',0,'{}','p1','p2');
CREATE TABLE constraints (
	study_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	at_least DOUBLE, 
	at_most DOUBLE, answer TEXT, levels INTEGER, cost DOUBLE, 
	CONSTRAINT pk_constraints PRIMARY KEY (study_id, position), 
	CONSTRAINT fk_constraints_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE counsel_grants (
	token_id TEXT NOT NULL, 
	study_id INTEGER NOT NULL, 
	role TEXT NOT NULL, 
	CONSTRAINT pk_counsel_grants PRIMARY KEY (token_id, study_id), 
	CONSTRAINT fk_counsel_grants_token_id FOREIGN KEY(token_id) REFERENCES counsel_tokens (id) ON DELETE CASCADE, 
	CONSTRAINT fk_counsel_grants_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE counsel_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT counsel_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "counsel_schema" VALUES('0014');
CREATE TABLE counsel_tokens (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	expires DATETIME, 
	revoked DATETIME, 
	CONSTRAINT pk_counsel_tokens PRIMARY KEY (id)
);
CREATE TABLE creations (
	request TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	study_id INTEGER NOT NULL, 
	CONSTRAINT pk_creations PRIMARY KEY (request), 
	CONSTRAINT fk_creations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE decisions (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	decision TEXT NOT NULL, 
	point TEXT, 
	reason TEXT NOT NULL, radius DOUBLE, 
	CONSTRAINT pk_decisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_decisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_decisions_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "decisions" VALUES(1,2,'p1','accept',NULL,'fine',NULL);
INSERT INTO "decisions" VALUES(1,5,'p2','override','{"lifting": 20.0, "mode": "soft"}','too stiff',NULL);
INSERT INTO "decisions" VALUES(1,8,'p3','reject',NULL,'unsafe',0.05);
CREATE TABLE explanation_parts (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	term TEXT NOT NULL, 
	parameter TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, 
	error DOUBLE NOT NULL, 
	CONSTRAINT pk_explanation_parts PRIMARY KEY (study_id, number, term, parameter), 
	CONSTRAINT fk_explanation_parts_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_parts" VALUES(1,1,'exploitation','lifting',0,0.25,0.0);
INSERT INTO "explanation_parts" VALUES(1,1,'exploitation','mode',1,-0.5,0.0);
CREATE TABLE explanation_terms (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	term TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	method TEXT NOT NULL, 
	base DOUBLE NOT NULL, 
	total DOUBLE NOT NULL, log_weight DOUBLE DEFAULT '0' NOT NULL, interactions TEXT, 
	CONSTRAINT pk_explanation_terms PRIMARY KEY (study_id, number, term), 
	CONSTRAINT fk_explanation_terms_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_terms" VALUES(1,1,'exploitation',0,'exact',1.0,0.75,0.0,NULL);
CREATE TABLE explanations (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	proposal TEXT, 
	actor TEXT NOT NULL, 
	time DATETIME NOT NULL, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	background TEXT NOT NULL, 
	evaluations BIGINT NOT NULL, 
	note TEXT NOT NULL, instead_of TEXT, gaps BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_explanations PRIMARY KEY (study_id, number), 
	CONSTRAINT fk_explanations_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_explanations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_explanations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
INSERT INTO "explanations" VALUES(1,1,NULL,'ann','2026-11-18 06:35:42.015619','{"lifting": 20.0, "mode": "soft"}','{}','the whole space',4,'',NULL,0);
CREATE TABLE facts (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	actor TEXT, 
	time DATETIME NOT NULL, 
	request TEXT NOT NULL, 
	digest TEXT NOT NULL, link TEXT, 
	CONSTRAINT pk_facts PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_facts_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_facts_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE, 
	CONSTRAINT uq_facts_study_id_id UNIQUE (study_id, id), 
	CONSTRAINT uq_facts_study_id_request UNIQUE (study_id, request)
);
INSERT INTO "facts" VALUES(1,1,'p1','proposal',NULL,'2026-11-18 06:35:41.970939','0bfe129aa933433b92b790012660844a','','deaf1c4f9f1393014d627060f5a3fabc07b699df09e668065eec81a08b7a6732');
INSERT INTO "facts" VALUES(1,2,'d1','decision','ann','2026-11-18 06:35:41.977082','a026cc48d1e4428892071d18445030fd','','439cfe4d5ee1235250487ac311d3c0cb72d39df20d389adbab9aab60bb3c8d05');
INSERT INTO "facts" VALUES(1,3,'o1','observation','ann','2026-11-18 06:35:41.980406','47b9c33dcd10486eab96c9673fdc4c12','','3b65ff3fa22cc4d539c43ac9cac385e0c77de220242d94fc0034077a045370fe');
INSERT INTO "facts" VALUES(1,4,'p2','proposal',NULL,'2026-11-18 06:35:41.985077','9c2a052871894f7292e81ad65b0f8c58','','7e4bdc44edc6e6cf47681522096568a5e8ef023a93293aba7f3efdc83e698fd6');
INSERT INTO "facts" VALUES(1,5,'d2','decision','bob','2026-11-18 06:35:41.988384','04aaf0d5f97f48d1835556c70ea17be9','','5fd648868ebec2bddc078e900e111e4f2fbeba36152481d071529ab0207f8e6e');
INSERT INTO "facts" VALUES(1,6,'o2','observation','bob','2026-11-18 06:35:41.989772','d7742f32a14642549805259df92e575e','','11e6ee0590d9301858f33da6dbe5071cc2843e2aaf5e44786d3d53618b67d67a');
INSERT INTO "facts" VALUES(1,7,'p3','proposal',NULL,'2026-11-18 06:35:41.992823','b30d2261c795420690a00b40747d9b56','','69260acd0ff4e958a0488b06502b0618cfad0108963bdfbbdebaaaa6e1c73862');
INSERT INTO "facts" VALUES(1,8,'d3','decision','ann','2026-11-18 06:35:41.997023','df8189d664c740129f1657f3806432c4','','ba4e1f5716805ed04337a093a3a049c090b305602db33b738326dc191c72f257');
INSERT INTO "facts" VALUES(1,9,'p4','proposal',NULL,'2026-11-18 06:35:42.000888','d8f420549b894993aba070da3f1a5042','','30adf7fb000e5118793ca41f394e24dc32feaecc89849b1827bdb430e34ae717');
INSERT INTO "facts" VALUES(1,10,'o3','observation','bob','2026-11-18 06:35:42.003483','dadaa8dfb5474440862fe3e717ed8466','','aeb814da79685661f99871ecd2fb0ad7909edb4a7530ee30cc7226b3b8463398');
INSERT INTO "facts" VALUES(1,11,'c1','comparison','ann','2026-11-18 06:35:42.004374','f3f999a0df904018b29f96b588145be5','','7dadc0425f7d45e77e4f67e1b78f75c53904db48dd91612369492b6ddf003145');
INSERT INTO "facts" VALUES(1,12,'r1','revision','ann','2026-11-18 06:35:42.012493','1ee9f061542e4038b776f6a9bb832540','','68ed1451fd931b8964d589b968bc8bd39b0e0452b01898c6d43abeef0d4c22b8');
INSERT INTO "facts" VALUES(1,13,'w1','withdrawal','bob','2026-11-18 06:35:42.015619','4c85d8c0488e4f3d8dec18fccfed2fee','','672194e1bc1e5844f0a3159a97c142c2c6288df0aa9bae0ab6f75017d100e6fb');
CREATE TABLE failures (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_failures PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_failures_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_failures_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE leases (
	study_id INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (study_id, proposal), 
	CONSTRAINT fk_leases_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_leases_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "leases" VALUES(1,'p4','ann','2026-11-18 06:36:42.020370');
CREATE TABLE objectives (
	study_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	direction TEXT NOT NULL, 
	weight DOUBLE NOT NULL, 
	at_least DOUBLE, 
	at_most DOUBLE, 
	CONSTRAINT pk_objectives PRIMARY KEY (study_id, position), 
	CONSTRAINT fk_objectives_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE observations (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, label TEXT, 
	CONSTRAINT pk_observations PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_observations_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_observations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "observations" VALUES(1,3,'p1','{"lifting": 38.50704755017371, "mode": "stiff"}','{}',NULL);
INSERT INTO "observations" VALUES(1,6,'p2','{"lifting": 20.0, "mode": "soft"}','{}',NULL);
INSERT INTO "observations" VALUES(1,10,NULL,'{"lifting": 3.0, "mode": "stiff"}','{}',NULL);
CREATE TABLE outcomes (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, sem DOUBLE, 
	CONSTRAINT pk_outcomes PRIMARY KEY (study_id, place, name), 
	CONSTRAINT fk_outcomes_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "outcomes" VALUES(1,3,'comfort',0,1.0,NULL);
INSERT INTO "outcomes" VALUES(1,6,'comfort',0,2.0,NULL);
INSERT INTO "outcomes" VALUES(1,10,'comfort',0,0.5,NULL);
INSERT INTO "outcomes" VALUES(1,12,'comfort',0,1.5,NULL);
CREATE TABLE people (
	name TEXT NOT NULL, 
	since DATETIME NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('ann','2026-11-18 06:35:41.977082');
INSERT INTO "people" VALUES('bob','2026-11-18 06:35:41.988384');
CREATE TABLE proposals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	asks TEXT NOT NULL, 
	mean DOUBLE, 
	sd DOUBLE, 
	terms TEXT NOT NULL, 
	policy TEXT NOT NULL, 
	theta TEXT NOT NULL, 
	seen INTEGER NOT NULL, 
	note TEXT NOT NULL, chances TEXT DEFAULT '{}' NOT NULL, limit_of_mean DOUBLE, 
	CONSTRAINT pk_proposals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_proposals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT uq_proposals_study_id_round UNIQUE (study_id, round)
);
INSERT INTO "proposals" VALUES(1,1,1,'{"lifting": 38.50704755017371, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',0,'','{}',NULL);
INSERT INTO "proposals" VALUES(1,4,2,'{"lifting": 13.89851410967905, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',3,'','{}',NULL);
INSERT INTO "proposals" VALUES(1,7,3,'{"lifting": 48.75167768597507, "mode": "soft"}','{}','[]',NULL,NULL,'{}','random','[]',6,'','{}',NULL);
INSERT INTO "proposals" VALUES(1,9,4,'{"lifting": 10.22342622200265, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',8,'','{}',NULL);
CREATE TABLE revisions (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	observation TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_revisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_revisions_study_id_observation FOREIGN KEY(study_id, observation) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_revisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "revisions" VALUES(1,12,'o1','read the wrong line');
CREATE TABLE studies (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name TEXT NOT NULL, 
	objective TEXT NOT NULL, 
	direction TEXT NOT NULL, 
	space TEXT NOT NULL, 
	policy_name TEXT NOT NULL, 
	policy TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	created DATETIME NOT NULL, seal TEXT, tradeoff TEXT, team TEXT, team_version INTEGER, 
	CONSTRAINT uq_studies_name UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'kept','comfort','maximize','{"type": "space", "parameters": [{"name": "lifting", "type": "float", "low": 0.0, "high": 50.0, "log": false}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}','random','{"tag": "random", "settings": {"name": "random"}}',7,'2026-11-18 06:35:41.960236','52dcbc8962aa73fd2f513991a3c1d596bb904b9b17cb520823b753848512f0c6',NULL,NULL,NULL);
CREATE TABLE withdrawals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	fact TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_withdrawals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_withdrawals_study_id_fact FOREIGN KEY(study_id, fact) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_withdrawals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "withdrawals" VALUES(1,13,'o3','');
CREATE INDEX ix_decisions_study_id_proposal ON decisions (study_id, proposal);
CREATE INDEX ix_observations_study_id_proposal ON observations (study_id, proposal);
CREATE INDEX ix_comparisons_study_id_winner_proposal ON comparisons (study_id, winner_proposal);
CREATE INDEX ix_comparisons_study_id_loser_proposal ON comparisons (study_id, loser_proposal);
CREATE INDEX ix_revisions_study_id_observation ON revisions (study_id, observation);
CREATE INDEX ix_withdrawals_study_id_fact ON withdrawals (study_id, fact);
CREATE INDEX ix_explanations_study_id_proposal ON explanations (study_id, proposal);
CREATE INDEX ix_failures_study_id_proposal ON failures (study_id, proposal);
CREATE INDEX ix_claims_study_id_better_proposal ON claims (study_id, better_proposal);
CREATE INDEX ix_claims_study_id_worse_proposal ON claims (study_id, worse_proposal);
CREATE INDEX ix_comments_study_id_fact ON comments (study_id, fact);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('studies',1);
COMMIT;
