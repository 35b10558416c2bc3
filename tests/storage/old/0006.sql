BEGIN TRANSACTION;
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
	at_most DOUBLE, 
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
INSERT INTO "counsel_grants" VALUES('c000305671a8',1,'owner');
CREATE TABLE counsel_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT counsel_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "counsel_schema" VALUES('0006');
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
INSERT INTO "counsel_tokens" VALUES('c000305671a8','ann','viewer','c3d913dddc667248b8451788c64189f8b8e7138e67bd4e366cd47557115b28d3','2026-11-17 08:09:49.092563',NULL,NULL);
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
	reason TEXT NOT NULL, 
	CONSTRAINT pk_decisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_decisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_decisions_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "decisions" VALUES(1,2,'p1','accept',NULL,'fine');
INSERT INTO "decisions" VALUES(1,5,'p2','override','{"lifting": 20.0, "mode": "soft"}','too stiff');
INSERT INTO "decisions" VALUES(1,8,'p3','reject',NULL,'unsafe');
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
	total DOUBLE NOT NULL, 
	CONSTRAINT pk_explanation_terms PRIMARY KEY (study_id, number, term), 
	CONSTRAINT fk_explanation_terms_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_terms" VALUES(1,1,'exploitation',0,'exact',1.0,0.75);
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
	note TEXT NOT NULL, 
	CONSTRAINT pk_explanations PRIMARY KEY (study_id, number), 
	CONSTRAINT fk_explanations_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_explanations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_explanations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
INSERT INTO "explanations" VALUES(1,1,NULL,'ann','2026-11-17 08:09:49.050250','{"lifting": 20.0, "mode": "soft"}','{}','the whole space',4,'');
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
INSERT INTO "facts" VALUES(1,1,'p1','proposal',NULL,'2026-11-17 08:09:48.945475','fa5574f9be01439aa5668284ed4fbf5d','3760799867a0d65c68649c187474dd4d','47d69b29a2b40d0135c16f7fd8d31097e3b669b18b66cf1b2748df46ff235949');
INSERT INTO "facts" VALUES(1,2,'d1','decision','ann','2026-11-17 08:09:48.955137','fbb19de780814e20b18c486c61e52dd9','86ffe542c6fa79d9a20c31ae48164756','329e23b031ba903c3f5086bb0128a94cd1a7a3533ea791d643f4f0c584c46b49');
INSERT INTO "facts" VALUES(1,3,'o1','observation','ann','2026-11-17 08:09:48.961522','91e358991b0245198442fca533e78134','144d73259b8dd6b119718a9caaa4f2ac','d6d36dbae2099a14d5589263304aefad620445ae1487fd63038f1686dc600069');
INSERT INTO "facts" VALUES(1,4,'p2','proposal',NULL,'2026-11-17 08:09:48.966286','21ab2fbe229747278dd792c249c15e72','3760799867a0d65c68649c187474dd4d','1251f5faaf56e6fcc0554cba26eb604de115b3ae253ce477d4ef85a2ceb89a50');
INSERT INTO "facts" VALUES(1,5,'d2','decision','bob','2026-11-17 08:09:48.969894','28b5b51aecc345f693c18bd582d4d136','b74ce981d291bc49cb142f1cf0a5d227','846b4af1c58d78f1f3841e846447dc293e217a61c48ab2e7647262024b33c3e2');
INSERT INTO "facts" VALUES(1,6,'o2','observation','bob','2026-11-17 08:09:48.972115','e50c61530ea24da6ad6db9360a48848d','1ac443a8425cd3b474a66dcd8a67b30e','50a38601488e947d3cca85dec54824bd33e1f03b7f019d4a945ee0c3cf1bf9ec');
INSERT INTO "facts" VALUES(1,7,'p3','proposal',NULL,'2026-11-17 08:09:48.973499','11b4acd5bb6f4ac1ad29edf8f559c44e','3760799867a0d65c68649c187474dd4d','7f840f2dc7e3135966337994c64905cac924ef50cfac89d59f9a59e97517b1d4');
INSERT INTO "facts" VALUES(1,8,'d3','decision','ann','2026-11-17 08:09:48.978700','150d130444564f7483cb5ed9702e42c6','b740c7c4e1204f5fe73b6ea49a05b6cd','25a5e92c9ed378ce97338df6bc8fd6e62020ba2deace046fdb790ef48d77caff');
INSERT INTO "facts" VALUES(1,9,'p4','proposal',NULL,'2026-11-17 08:09:49.026618','86fd7d9a56b94d3cacfa1a6839a5b1d0','3760799867a0d65c68649c187474dd4d','c4430c250ba032f68a9209d135e31c841e8f564599fe3ddaac937890a6bab0b5');
INSERT INTO "facts" VALUES(1,10,'o3','observation','bob','2026-11-17 08:09:49.034256','7f927f6ac056471ba938b3edb02bebfa','6526ad3cc0c6b56e75398ecdd6727ac2','43323e7e740fae677a4e0bfd1438a57b5cb7ff02ce217760585927f1726e02a9');
INSERT INTO "facts" VALUES(1,11,'c1','comparison','ann','2026-11-17 08:09:49.038092','718662c878b54d5a97544a5887a50d9f','bd0332e1d7ebd5699e794c827590e521','e3723a7653099503ea47262064be413f00283aed2620f2f05dbc9227c9f826d6');
INSERT INTO "facts" VALUES(1,12,'r1','revision','ann','2026-11-17 08:09:49.042219','a76a82b7e49846b7be28da577ea8a2c0','7fedf0dd64e05688c2e4ea2aca0d435e','fd0ae0714d97219dad1da276a94dc86cbc962b176b52a12bbe088148004a4673');
INSERT INTO "facts" VALUES(1,13,'w1','withdrawal','bob','2026-11-17 08:09:49.050250','b8ff53d22aac4d76b46772c930e1e4e6','8bae379bcadf8bddd2fa8e5613c2e1e9','0f26f91e2886aad2a175bfa63599971223d0dc8f209da6867ffcbdb447a519f7');
CREATE TABLE leases (
	study_id INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (study_id, proposal), 
	CONSTRAINT fk_leases_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_leases_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "leases" VALUES(1,'p4','ann','2026-11-17 08:10:49.058195');
CREATE TABLE observations (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	CONSTRAINT pk_observations PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_observations_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_observations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "observations" VALUES(1,3,'p1','{"lifting": 38.50704755017371, "mode": "stiff"}','{}');
INSERT INTO "observations" VALUES(1,6,'p2','{"lifting": 20.0, "mode": "soft"}','{}');
INSERT INTO "observations" VALUES(1,10,NULL,'{"lifting": 3.0, "mode": "stiff"}','{}');
CREATE TABLE outcomes (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, 
	CONSTRAINT pk_outcomes PRIMARY KEY (study_id, place, name), 
	CONSTRAINT fk_outcomes_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "outcomes" VALUES(1,3,'comfort',0,1.0);
INSERT INTO "outcomes" VALUES(1,6,'comfort',0,2.0);
INSERT INTO "outcomes" VALUES(1,10,'comfort',0,0.5);
INSERT INTO "outcomes" VALUES(1,12,'comfort',0,1.5);
CREATE TABLE people (
	name TEXT NOT NULL, 
	since DATETIME NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('ann','2026-11-17 08:09:48.955137');
INSERT INTO "people" VALUES('bob','2026-11-17 08:09:48.969894');
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
	note TEXT NOT NULL, chances TEXT DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_proposals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_proposals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT uq_proposals_study_id_round UNIQUE (study_id, round)
);
INSERT INTO "proposals" VALUES(1,1,1,'{"lifting": 38.50704755017371, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',0,'','{}');
INSERT INTO "proposals" VALUES(1,4,2,'{"lifting": 13.89851410967905, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',3,'','{}');
INSERT INTO "proposals" VALUES(1,7,3,'{"lifting": 48.75167768597507, "mode": "soft"}','{}','[]',NULL,NULL,'{}','random','[]',6,'','{}');
INSERT INTO "proposals" VALUES(1,9,4,'{"lifting": 10.22342622200265, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',8,'','{}');
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
	created DATETIME NOT NULL, seal TEXT, 
	CONSTRAINT uq_studies_name UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'kept','comfort','maximize','{"type": "space", "parameters": [{"name": "lifting", "type": "float", "low": 0.0, "high": 50.0, "log": false}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}','random','{"tag": "random", "settings": {"name": "random"}}',7,'2026-11-17 08:09:48.925643','8db9384aa9fb07dc96a7a4ca1d368e9b154a0b621f5504f4c1a9e9f9db6839ab');
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('studies',1);
COMMIT;
